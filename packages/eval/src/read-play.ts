import { suggestName } from '@adorn/core/backend';

import type {
  ConversationScenario,
  EvalFault,
  KillFault,
  ServiceFault,
  ToolStub,
  UserPersona,
} from './eval-set.js';
import { FileReader, type Fields, isGiven } from './file-reader.js';
import { PERSONAS } from './users/personas.js';

const SERVICE_FAULTS: ReadonlySet<string> = new Set(['refuse', 'timeout', 'rateLimit', 'lie']);

/** Reads how a case is played: by which user, with which stubs, and what goes wrong. */
export class PlayReader extends FileReader {
  protected scenario(json: unknown, place: string): ConversationScenario {
    const fields = this.object(json, place, 'conversationScenario');
    return {
      startingPrompt: this.required(fields, 'startingPrompt', place),
      conversationPlan: this.required(fields, 'conversationPlan', place),
      ...this.given(fields, place, 'userPersona', (value, at) => this.persona(value, at)),
      ...this.count(fields, place, 'patience'),
    };
  }

  protected toolStub(json: unknown, place: string): ToolStub {
    const fields = this.object(json, place, 'toolStub');
    const { error } = this.texts(fields, place, ['error']);
    const hasResponse = fields['response'] !== undefined;
    if (hasResponse === (error !== undefined))
      throw this.fault(
        place,
        hasResponse ? 'it has a response and an error; keep one of them' : 'it has no response and no error',
      );
    return {
      tool: this.required(fields, 'tool', place),
      ...this.given(fields, place, 'args', (value, at) => this.record(value, at)),
      ...(hasResponse ? { response: fields['response'] } : { error }),
    };
  }

  protected evalFault(json: unknown, place: string): EvalFault {
    const { kind } = this.record(json, place);
    if (kind === 'kill') return this.kill(this.object(json, place, 'kill'), place);
    // Files have their keys, and so these names, in snake case.
    const named = kind === 'rate_limit' ? 'rateLimit' : kind;
    if (typeof named === 'string' && SERVICE_FAULTS.has(named))
      return this.serviceFault(
        this.object(json, place, 'serviceFault'),
        named as ServiceFault['kind'],
        place,
      );
    const known = new Set(['kill', ...SERVICE_FAULTS]);
    const cure = typeof kind === 'string' ? suggestName(kind, known) : `Known: ${[...known].join(', ')}.`;
    throw this.fault(`${place}.kind`, `it is ${JSON.stringify(kind)}. ${cure.slice(0, -1)}`);
  }

  private kill(fields: Fields, place: string): KillFault {
    const places = {
      ...this.texts(fields, place, ['during']),
      ...this.count(fields, place, 'behind'),
      ...this.count(fields, place, 'before'),
    };
    if (Object.keys(places).length !== 1)
      throw this.fault(
        place,
        'a kill has the number of an event, as behind or as before, or a tool as during',
      );
    return { kind: 'kill', ...places };
  }

  private serviceFault(fields: Fields, kind: ServiceFault['kind'], place: string): ServiceFault {
    const hasEffect = fields['hasEffect'];
    if (isGiven(hasEffect) && typeof hasEffect !== 'boolean')
      throw this.fault(`${place}.hasEffect`, `it is ${JSON.stringify(hasEffect)}, and not true or false`);
    const fault: ServiceFault = {
      kind,
      ...this.texts(fields, place, ['tool', 'reason']),
      ...this.count(fields, place, 'nth'),
      ...this.count(fields, place, 'times'),
      ...(typeof hasEffect === 'boolean' && { hasEffect }),
      ...(fields['response'] !== undefined && { response: fields['response'] }),
    };
    if (kind === 'lie' && fault.tool === undefined)
      throw this.fault(place, 'a lie is that of a tool; name it');
    return fault;
  }

  /** A persona, or the id of one that ADK names. */
  private persona(json: unknown, place: string): UserPersona {
    if (typeof json === 'string') {
      const known = Object.hasOwn(PERSONAS, json) ? PERSONAS[json] : undefined;
      if (known) return known;
      const cure = suggestName(json, new Set(Object.keys(PERSONAS))).slice(0, -1);
      throw this.fault(place, `there is no persona ${json}. ${cure}`);
    }
    const fields = this.object(json, place, 'userPersona');
    return {
      ...this.texts(fields, place, ['id']),
      description: this.required(fields, 'description', place),
      ...this.given(fields, place, 'behaviors', (value, at) =>
        this.items(value, at, (one, each) => {
          const behavior = this.object(one, each, 'userBehavior');
          return {
            ...this.texts(behavior, each, ['name', 'description']),
            ...this.given(behavior, each, 'behaviorInstructions', (texts, list) =>
              this.textList(texts, list),
            ),
            ...this.given(behavior, each, 'violationRubrics', (texts, list) => this.textList(texts, list)),
          };
        }),
      ),
    };
  }

  private textList(json: unknown, place: string): string[] {
    return this.items(json, place, (one, at) => {
      if (typeof one !== 'string') throw this.fault(at, `it is ${JSON.stringify(one)}, and no text`);
      return one;
    });
  }

  private required(fields: Fields, name: string, place: string): string {
    const text = this.text(fields, [name], place);
    if (text === undefined || text === '') throw this.fault(`${place}.${name}`, 'it is missing');
    return text;
  }

  private count<Name extends string>(
    fields: Fields,
    place: string,
    name: Name,
  ): Partial<Record<Name, number>> {
    return this.given(fields, place, name, (value, at) => {
      if (!Number.isInteger(value) || (value as number) < 1)
        throw this.fault(at, `it is ${JSON.stringify(value)}, and no whole number above 0`);
      return value as number;
    });
  }
}
