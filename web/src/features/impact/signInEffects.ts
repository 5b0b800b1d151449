import type { EndedSignIns, EndingSessions, MemberImpact, Named } from '../../../../src/contracts/impact.ts';
import { MAX_NAMED } from '../../../../src/domain/limits.ts';
import { type Effect, when } from './effects.ts';
import { signInTexts as texts } from './signInTexts.ts';
import { impactTexts } from './texts.ts';

const namedSessions = ({ count, sessions }: EndingSessions): Named => ({ count, names: sessions.map(texts.session) });

const harmless = (isSo: boolean, text: string): Effect[] => (isSo ? [{ text, isHarmless: true }] : []);

/** The sign-ins that a change ends, by name, and how many keep working. */
export const effectsOnSignIns = (ended: EndedSignIns | undefined): Effect[] => {
  if (ended === undefined) return [];
  const { console, tools, apiTokens, kept } = ended;
  const keeps = texts.kept(kept);
  return [
    ...when(console.count > 0, texts.consoleEnded(console.count), namedSessions(console)),
    ...when(tools.count > 0, texts.toolsEnded(tools.count), namedSessions(tools)),
    ...when(apiTokens.count > 0, impactTexts.tokensEnded(apiTokens.count), apiTokens),
    ...harmless(console.count + tools.count + apiTokens.count === 0, texts.nothingEnds),
    ...harmless(keeps !== null, keeps ?? ''),
  ];
};

/** The effects of a change of the role of a named user, or of the removal. */
export const effectsOnMember = ({ refusal, sessions, apiTokens, ended }: MemberImpact): Effect[] =>
  refusal === null
    ? [
        ...when(sessions > 0, impactTexts.memberSessionsEnded(sessions), ended ? sessionsOf(ended) : undefined),
        ...when(apiTokens.count > 0, impactTexts.tokensEnded(apiTokens.count), apiTokens),
      ]
    : [{ text: refusal }];

const sessionsOf = ({ console, tools }: EndedSignIns): Named => ({
  count: console.count + tools.count,
  names: [...console.sessions, ...tools.sessions].slice(0, MAX_NAMED).map(texts.session),
});
