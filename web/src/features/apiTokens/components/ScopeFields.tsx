import { Box, SimpleGrid, Text } from '@chakra-ui/react';
import { type Control, useController } from 'react-hook-form';
import { allowedBy, type Permission } from '../../../../../src/domain/permissions.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { apiTokenTexts as texts } from '../texts.ts';

/** The values of the form. */
export type TokenValues = { name: string; scopes: Permission[]; lifetime: string; networks: string };

const isRead = (scope: Permission): boolean => scope.endsWith(':read');
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type ScopeFieldsProps<Output> = { control: Control<TokenValues, unknown, Output>; scopes: readonly Permission[] };

/** The permissions that a token may have, by whether they change something. */
export const ScopeFields = <Output,>({ control, scopes }: ScopeFieldsProps<Output>) => {
  const { field, fieldState } = useController({ control, name: 'scopes' });
  const toggle = (scope: Permission, isChosen: boolean): void =>
    field.onChange(isChosen ? [...field.value, scope] : field.value.filter((other) => other !== scope));
  return (
    <Box as="fieldset">
      <Text as="legend" textStyle="sm" fontWeight="medium" mb="2">
        {texts.fields.scopes}
      </Text>
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        {(['read', 'change'] as const).map((group) => (
          <Box key={group} role="group" aria-label={texts.groups[group]} display="flex" flexDirection="column" gap="2">
            <Text textStyle="xs" color="fg.subtle">
              {texts.groups[group]}
            </Text>
            {scopes
              .filter((scope) => isRead(scope) === (group === 'read'))
              .map((scope) => (
                <Checkbox
                  key={scope}
                  label={sentence(allowedBy(scope))}
                  hint={scope}
                  checked={field.value.includes(scope)}
                  onChange={(event) => toggle(scope, event.target.checked)}
                />
              ))}
          </Box>
        ))}
      </SimpleGrid>
      {fieldState.error && (
        <Text role="alert" textStyle="xs" color="fg.error" mt="2">
          {fieldState.error.message}
        </Text>
      )}
    </Box>
  );
};
