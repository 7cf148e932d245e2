export * from '@adorn/schema/dialects';
