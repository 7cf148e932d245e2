import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool, type ToolContext } from 'adorn';

class Parcels {
  /** Track a parcel. @param parcelId Begins with the name of its carrier, such as "postal-17". */
  @tool({ effect: 'read' })
  async trackParcel(parcelId: string, context: ToolContext): Promise<{ place: string; key: string }> {
    const [carrier = ''] = parcelId.split('-');
    const credential = await context.requestCredential({
      scheme: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      key: `carrier:${carrier}`,
    });
    return { place: 'Oslo', key: credential.type }; // where a real tool asks the carrier
  }
}

/** Answers questions about parcels. */
@agent({ model: 'gemini-2.5-flash', tools: [Parcels] })
class Dispatch extends LlmAgent {}

const model = new ScriptedModel(callsTool('track_parcel', { parcelId: 'postal-17' }), says('It is in Oslo.'));
await using runner = await createRunner(Dispatch, { model });

let result = await runner.run({ userId: 'ada', message: 'Where is parcel postal-17?' });
for (const request of result.pending) {
  console.log(`${request.kind} for ${request.authConfig?.credentialKey ?? ''}`);
  result = await runner.supply(request, 'key-of-ada');
}
console.log(result.text);
