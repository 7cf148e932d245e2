// CopilotKit's own runtime in front of an agent of AG-UI: `node runtime.mjs '{"url":…,"headers":…}'`. Prints its address.
import { createServer } from 'node:http';

import { HttpAgent } from '@ag-ui/client';
import { CopilotRuntime } from '@copilotkit/runtime/v2';
import { createCopilotNodeListener } from '@copilotkit/runtime/v2/node';

const runtime = new CopilotRuntime({ agents: { default: new HttpAgent(JSON.parse(process.argv[2])) } });
const server = createServer(createCopilotNodeListener({ runtime, basePath: '/api/copilotkit' }));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
