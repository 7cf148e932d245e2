import { agent, LlmAgent, ParallelAgent, SequentialAgent } from 'adorn';

/** Researches the market. */
@agent({ instruction: 'State one fact about the market of the product.', outputKey: 'market' })
class MarketResearcher extends LlmAgent {}

/** Researches the rules. */
@agent({ instruction: 'State one rule that the product must follow.', outputKey: 'rules' })
class RuleResearcher extends LlmAgent {}

/** Researches at the same time; neither researcher sees what the other says. */
@agent({ subAgents: [MarketResearcher, RuleResearcher] })
class Research extends ParallelAgent {}

/** Merges the findings; one that is missing, because its researcher failed, is empty. */
@agent({ instruction: 'Write a briefing of two sentences from what is known: "{market?}" "{rules?}".' })
class Merger extends LlmAgent {}

/** Briefs about a product. */
@agent({ model: 'gemini-2.5-flash', subAgents: [Research, Merger] })
export class Briefing extends SequentialAgent {}
