import { Box, SimpleGrid, Text } from '@chakra-ui/react';
import { type Control, useWatch } from 'react-hook-form';
import { THEME_DEFAULTS } from '../../../../../src/domain/limits.ts';
import { TextAreaField, TextField } from '../../../forms/fields.tsx';
import { TerminalPreview } from '../../themes/index.ts';
import { customThemeTexts as texts } from '../texts.ts';
import { ColorField } from './ColorField.tsx';
import { shownColors, type ThemeFormValues } from './themeForm.ts';

const { fields, placeholders } = texts;

type LookFieldsProps<Output> = { control: Control<ThemeFormValues, unknown, Output> };

/** The terminal with the present values of the form. */
const Preview = <Output,>({ control }: LookFieldsProps<Output>) => {
  const [primaryColor, secondaryColor, accentColor] = useWatch({
    control,
    name: ['primaryColor', 'secondaryColor', 'accentColor'],
  });
  const colors = shownColors({ primaryColor, secondaryColor, accentColor });
  return (
    <Box as="figure">
      <Text as="figcaption" textStyle="sm" fontWeight="medium" mb="1.5">
        {texts.preview}
      </Text>
      <Box
        borderRadius="l2"
        overflow="hidden"
        borderWidth="1px"
        borderColor="border"
        data-preview={Object.values(colors).join(' ')}
      >
        <TerminalPreview colors={colors} />
      </Box>
    </Box>
  );
};

/** The fields for name, description and colors of a theme, with a preview. */
export const LookFields = <Output,>({ control }: LookFieldsProps<Output>) => (
  <>
    <TextField control={control} name="displayName" label={fields.displayName} placeholder={placeholders.displayName} isRequired />
    <TextAreaField control={control} name="description" label={fields.description} rows={2} />
    <SimpleGrid columns={{ base: 1, md: 3 }} gap="4">
      <ColorField
        control={control}
        name="primaryColor"
        label={fields.primaryColor}
        fallback={THEME_DEFAULTS.primaryColor}
        isRequired
      />
      <ColorField control={control} name="secondaryColor" label={fields.secondaryColor} hint={texts.colorHint} fallback="#00CFFF" />
      <ColorField control={control} name="accentColor" label={fields.accentColor} hint={texts.colorHint} fallback="#FFB81C" />
    </SimpleGrid>
    <Preview control={control} />
  </>
);
