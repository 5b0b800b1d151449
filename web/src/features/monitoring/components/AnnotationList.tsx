import { Box, Flex, Text } from '@chakra-ui/react';
import { memo } from 'react';
import type { Annotation } from '../../../../../src/contracts/annotations.ts';
import { MAX_ANNOTATIONS } from '../../../../../src/contracts/chartSpans.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Time } from '../../../ui/Time.tsx';
import { ANNOTATIONS, type AnnotationsAsked, textOf } from '../api/annotations.ts';
import { monitoringTexts } from '../texts.ts';

const { annotations: texts } = monitoringTexts;

const Row = ({ annotation }: { annotation: Annotation }) => (
  <Flex
    as="li"
    px={{ base: '4', md: '5' }}
    py="2.5"
    columnGap="4"
    rowGap="1"
    wrap="wrap"
    align="baseline"
    borderTopWidth="1px"
    borderColor="border.muted"
  >
    <Text as="span" textStyle="xs" color="fg.subtle" whiteSpace="nowrap" fontVariantNumeric="tabular-nums" minW="40">
      <Time at={annotation.at} />
    </Text>
    <Text as="span" textStyle="sm" flex="1" minW={{ base: 'full', md: '60' }} overflowWrap="anywhere">
      <Link to={`/admin/audit?entry=${annotation.id}`} className="text-link">
        {textOf(annotation)}
      </Link>
    </Text>
    <Text as="span" textStyle="xs" color="fg.muted" overflowWrap="anywhere">
      {texts.by(annotation.actor.name)}
    </Text>
  </Flex>
);

type AnnotationListProps = {
  annotations: readonly Annotation[];
  /** The period and the filters of them. */
  query: AnnotationsAsked;
};

/** What happened in the period of the charts, newest first, with who did it. Each opens its entry of the audit page. */
export const AnnotationList = memo(({ annotations, query }: AnnotationListProps) => {
  if (annotations.length === 0) return null;
  return (
    <Card as="section" aria-label={texts.title} mt="4">
      <CardHead
        title={texts.title}
        sub={annotations.length < MAX_ANNOTATIONS ? texts.sub : texts.newest(MAX_ANNOTATIONS)}
        right={<ExportMenu what={texts.exported} lists={[{ path: ANNOTATIONS, query }]} />}
      />
      <Box as="ul" listStyleType="none" maxH="320px" overflowY="auto" tabIndex={0} aria-label={texts.list}>
        {[...annotations].reverse().map((annotation) => (
          <Row key={annotation.id} annotation={annotation} />
        ))}
      </Box>
    </Card>
  );
});
