import { Box, chakra, Flex, SimpleGrid } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useController, useWatch } from 'react-hook-form';
import { type ServiceIntegrator, updateWhiteLabel } from '../../../../../src/contracts/integrators.ts';
import { causeOf } from '../../../api/error.ts';
import { FormCard } from '../../../forms/FormCard.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { useFreshValues } from '../../../forms/useFreshValues.ts';
import { useSavedThenReload } from '../../../forms/useSavedThenReload.ts';
import { isConflict, useVersion } from '../../../forms/useVersion.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Check } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { Switch } from '../../../ui/Switch.tsx';
import { Banner } from '../../../ui/states.tsx';
import { ownIntegratorQuery } from '../../accountSettings/index.ts';
import { useUpdateWhiteLabel } from '../api/whiteLabel.ts';
import { whiteLabelTexts as texts } from '../texts.ts';
import { DnsPanel } from './DnsPanel.tsx';
import { LogoPreview } from './LogoPreview.tsx';

const { fields } = texts;

const valuesOf = ({ whiteLabelEnabled, customDomain, logoUrl }: ServiceIntegrator) => ({
  whiteLabelEnabled,
  customDomain: customDomain ?? '',
  logoUrl: logoUrl ?? '',
});

const Features = () => (
  <Card as="section" aria-label={texts.features}>
    <CardHead title={texts.features} />
    <chakra.ul listStyleType="none" px={{ base: '4', md: '5' }} pb="5" display="flex" flexDirection="column" gap="2.5">
      {texts.featureList.map((feature) => (
        <Flex as="li" key={feature} align="center" gap="2.5" textStyle="sm" color="fg.muted">
          <Box asChild color="fg.success" flexShrink="0">
            <Check size={16} aria-hidden />
          </Box>
          {feature}
        </Flex>
      ))}
    </chakra.ul>
  </Card>
);

type WhiteLabelFormProps = { integrator: ServiceIntegrator; etag: string | null };

/** The form for white-label, domain and logo, with a preview and the DNS records. */
export const WhiteLabelForm = ({ integrator, etag }: WhiteLabelFormProps) => {
  const queries = useQueryClient();
  const update = useUpdateWhiteLabel(integrator.id);
  const { isSaved, saved } = useSavedThenReload();
  const values = valuesOf(integrator);
  const form = useContractForm({ schema: updateWhiteLabel, defaults: values, toBody: (typed) => typed, labels: fields });
  const { control, handleSubmit, reset, refuseFields, conflictOf, takeOver } = form;
  const isDirty = useFreshValues(form, values);
  const save = useVersion(
    { etag, shown: values },
    {
      followsSeen: !isDirty,
      fetchNewest: async () => {
        const newest = await queries.fetchQuery({ ...ownIntegratorQuery(integrator.id), staleTime: 0 });
        return { etag: newest.etag, shown: valuesOf(newest.integrator) };
      },
      takeOver,
    },
  );
  const { field: enabled } = useController({ control, name: 'whiteLabelEnabled' });
  const [domain, logoUrl] = useWatch({ control, name: ['customDomain', 'logoUrl'] });
  const typedDomain = domain.trim().toLowerCase().replace(/\.$/, '');
  const submit = handleSubmit(async (body) => {
    try {
      await save((version) => update.mutateAsync({ body, etag: version }));
      reset({ ...body, customDomain: body.customDomain ?? '', logoUrl: body.logoUrl ?? '' });
      saved();
    } catch (error) {
      refuseFields(error);
      notify.error(isConflict(error) ? conflictOf('your account') : causeOf(error, texts.saveFailed));
    }
  });
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" alignItems="start">
      <FormCard
        title={texts.form}
        submitLabel={isSaved ? texts.saved : texts.save}
        busyLabel={texts.saving}
        isBusy={update.isPending}
        isModified={isDirty}
        onSubmit={submit}
      >
        <Switch
          name={enabled.name}
          ref={enabled.ref}
          label={fields.whiteLabelEnabled}
          hint={texts.enabledHint}
          checked={enabled.value}
          onBlur={enabled.onBlur}
          onChange={(event) => enabled.onChange(event.target.checked)}
        />
        {integrator.releasedDomain && (
          <Banner tone="warning">
            {texts.released(
              integrator.releasedDomain.domain,
              format.date(integrator.releasedDomain.at),
              integrator.releasedDomain.reason,
            )}
          </Banner>
        )}
        <TextField
          control={control}
          name="customDomain"
          label={fields.customDomain}
          hint={texts.domainHint}
          placeholder={texts.domainPlaceholder}
          disabled={!enabled.value}
        />
        <TextField
          control={control}
          name="logoUrl"
          type="url"
          label={fields.logoUrl}
          hint={texts.logoHint}
          placeholder={texts.logoPlaceholder}
        />
        <LogoPreview url={logoUrl.trim()} />
      </FormCard>
      <Flex direction="column" gap="4" minW="0">
        {enabled.value && typedDomain !== '' && <DnsPanel integrator={integrator} domain={typedDomain} />}
        <Features />
      </Flex>
    </SimpleGrid>
  );
};
