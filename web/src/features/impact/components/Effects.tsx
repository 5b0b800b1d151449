import { chakra, Spinner } from '@chakra-ui/react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { Info, TriangleAlert } from '../../../ui/icons.ts';
import { Banner } from '../../../ui/states.tsx';
import type { Effect } from '../effects.ts';
import { impactTexts as texts } from '../texts.ts';

type EffectsProps<Impact> = {
  query: UseQueryResult<Impact>;
  effectsOf: (impact: Impact) => readonly Effect[];
  /** Where all are listed, if not all are named. */
  list?: { to: string; label: string } | undefined;
};

/** The list of a customer's users, as the manager of the customer sees it. */
export const usersOf = (manager: CustomerManager, id: CustomerId) => ({
  to: `/${manager === 'admin' ? 'admin' : 'service-integrator'}/users?customer=${id}`,
  label: texts.allUsers,
});

const isCut = ({ named }: Effect): boolean => named !== undefined && named.names.length > 0 && named.names.length < named.count;

const areHarmless = (effects: readonly Effect[]): boolean => effects.every(({ isHarmless }) => isHarmless);

type EffectListProps = { effects: readonly Effect[] } & Pick<EffectsProps<never>, 'list'>;

/** The effects of a change, with the first names: a warning, unless all are harmless. Nothing if there is no effect. */
export const EffectList = ({ effects, list }: EffectListProps) =>
  effects.length > 0 && (
    <Banner tone={areHarmless(effects) ? 'info' : 'warning'} icon={areHarmless(effects) ? Info : TriangleAlert}>
      <chakra.ul aria-label={texts.effects} listStyleType="none" display="flex" flexDirection="column" gap="1">
        {effects.map(({ text, named }) => (
          <li key={text}>
            {text}
            {named && named.names.length > 0 && (
              <chakra.span display="block" textStyle="sm" color="fg.muted" overflowWrap="anywhere">
                {texts.names(named)}
              </chakra.span>
            )}
          </li>
        ))}
      </chakra.ul>
      {list && effects.some(isCut) && (
        <chakra.a href={list.to} target="_blank" rel="noopener" display="inline-block" mt="2" textDecoration="underline">
          {list.label}
        </chakra.a>
      )}
    </Banner>
  );

/** The effects of a change, with current numbers and the first names. Nothing if there is no effect to warn about. */
export const Effects = <Impact,>({ query, effectsOf, ...shown }: EffectsProps<Impact>) => {
  if (query.data === undefined) {
    return query.isError ? (
      <Banner tone="warning" icon={TriangleAlert}>
        {texts.uncounted}
      </Banner>
    ) : (
      <chakra.div role="status" display="flex" alignItems="center" gap="2" textStyle="sm" color="fg.subtle">
        <Spinner size="inherit" borderWidth="0.125em" color="inherit" aria-hidden />
        {texts.loading}
      </chakra.div>
    );
  }
  return <EffectList effects={effectsOf(query.data)} {...shown} />;
};
