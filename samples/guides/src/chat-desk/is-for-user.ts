/** Whether a page shows its user buttons for a confirmation. The server decides about the answer anyway. */
export function isForUser(approval: { readonly descriptor?: unknown } | undefined): boolean {
  const { approvers = [] } = (approval?.descriptor ?? {}) as { readonly approvers?: readonly unknown[] };
  return approvers.every((rule) => rule === 'requester');
}
