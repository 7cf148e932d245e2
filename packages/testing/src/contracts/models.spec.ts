import { OfflineModel } from '@adorn/offline';
import { ScriptedModel } from '../scripted/scripted.model.js';
import { streams } from '../scripted/scripted-step.js';
import { describeModel } from './describe-model.js';

describeModel('OfflineModel', async () => new OfflineModel());
describeModel('ScriptedModel', async () => new ScriptedModel(streams('Hello', ' there')));
