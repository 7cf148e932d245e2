import { describeModel } from '@adorn/testing/contracts';

import { ChatModel } from './chat.model.js';
import { startChatServer } from './chat-server.js';

const server = await startChatServer();
afterAll(() => server.close());

describeModel('ChatModel', async () => new ChatModel('small', { ...server, apiKey: 'test' }));
