import { untrustedPaths } from './agent-graph.js';

describe('untrustedPaths', () => {
  it('lead from untrusted tools to sensitive ones, but for those within one branch, which has them itself', () => {
    const mail = { name: 'mail', tools: [untrusted('read'), sensitive('send')], subAgents: [] };
    const bank = { name: 'bank', tools: [sensitive('pay')], subAgents: [] };
    const desk = { name: 'desk', tools: [untrusted('search'), sensitive('save')], subAgents: [mail, bank] };

    const paths = untrustedPaths(desk).map(({ source, target }) => [
      `${source.agent}.${source.tool.name}`,
      `${target.agent}.${target.tool.name}`,
    ]);

    expect(paths).toEqual([
      ['desk.search', 'desk.save'],
      ['desk.search', 'mail.send'],
      ['desk.search', 'bank.pay'],
      ['mail.read', 'desk.save'],
      ['mail.read', 'bank.pay'],
    ]);
  });
});

function untrusted(name: string) {
  return { name, untrusted: true };
}

function sensitive(name: string) {
  return { name, sensitive: true };
}
