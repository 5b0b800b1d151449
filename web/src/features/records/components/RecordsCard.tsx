import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { ManagedCustomer } from '../../../api/changeCustomer.ts';
import { areaRoot } from '../../../areas.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Badge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { Link } from '../../../ui/Link.tsx';
import { customFieldsText } from '../recordsForm.ts';
import { recordsTexts as texts } from '../texts.ts';

const RecordsModal = lazyDialog(async () => (await import('./RecordsModal.tsx')).RecordsModal);

const { fields } = texts;

const Block = ({ label, isCode = false, children }: { label: string; isCode?: boolean; children: string }) => (
  <Box as="section" aria-label={label} px={{ base: '4', md: '5' }} py="3" borderTopWidth="1px" borderColor="border.muted">
    <Text textStyle="sm" color="fg.subtle" mb="1">
      {label}
    </Text>
    <chakra.div textStyle="sm" whiteSpace="pre-wrap" overflowWrap="anywhere" {...(isCode && { className: 'mono' })}>
      {children}
    </chakra.div>
  </Box>
);

/** What a company keeps about a customer, with its tags as links to the customers that have them. */
export const RecordsCard = (owner: ManagedCustomer) => {
  const { manager, customer } = owner;
  const { externalId, tags, notes, customFields } = customer;
  const edit = useDialog();
  const isEmpty = externalId === undefined && tags === undefined && notes === undefined && customFields === undefined;
  return (
    <Card as="section" aria-label={texts.title}>
      <CardHead
        title={texts.title}
        right={
          <Allowed to="customers:write">
            <OpenDialogButton dialog={edit} preload={RecordsModal.preload} size="xs">
              {texts.edit}
            </OpenDialogButton>
          </Allowed>
        }
      />
      <Text px={{ base: '4', md: '5' }} pb="3" textStyle="sm" color="fg.muted">
        {isEmpty ? texts.none : texts.hint}
      </Text>
      {(externalId !== undefined || tags !== undefined) && (
        <Facts>
          {externalId !== undefined && (
            <Fact label={fields.externalId}>
              <code className="mono">{externalId}</code>
            </Fact>
          )}
          {tags !== undefined && (
            <Fact label={fields.tags}>
              <Flex gap="1.5" wrap="wrap" justify="end">
                {tags.map((tag) => (
                  <Link
                    key={tag}
                    to={`${areaRoot[manager]}/customers?tag=${encodeURIComponent(tag)}`}
                    aria-label={texts.customersWith(tag)}
                  >
                    <Badge>{tag}</Badge>
                  </Link>
                ))}
              </Flex>
            </Fact>
          )}
        </Facts>
      )}
      {notes !== undefined && <Block label={fields.notes}>{notes}</Block>}
      {customFields !== undefined && (
        <Block label={fields.customFields} isCode>
          {customFieldsText(customFields)}
        </Block>
      )}
      <RecordsModal dialog={edit} owner={owner} />
    </Card>
  );
};
