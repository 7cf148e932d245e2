import { playDesk } from './slack-desk.js';
import { OfflineModel } from '@adorn/testing';

describe('the support desk in Slack', () => {
  it('asks in the thread, lets a supervisor approve and nobody else, and answers there', async () => {
    const lines: string[] = [];

    await playDesk(new OfflineModel(), (line) => lines.push(line));

    const conversation = lines.join('\n');
    expect(conversation).toMatch(/\ndesk: Refund .*160.* \[Approve\] \[Reject\]\nada presses Approve\n/);
    expect(conversation).toContain('desk (only ada sees it): You may not answer this.');
    expect(conversation).toMatch(/sam presses Approve\ndesk: .*160/);
    expect(conversation).toContain('(The card says: Answered: refund_order.)');
    expect(lines.at(-1)).toBe('desk (only sam sees it): This was answered already.');
  });
});
