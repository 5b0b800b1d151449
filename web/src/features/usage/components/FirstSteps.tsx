import { Box, Flex, Text } from '@chakra-ui/react';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { firstStepTexts as texts } from '../firstStepTexts.ts';

/** The address that the browser uses is one at which the tool reaches the server too. */
const commandsFor = (server: string): readonly { what: string; command: string }[] => [
  { what: texts.login, command: `latchkey login --server ${server}` },
  {
    what: texts.record,
    command:
      'latchkey record --service jira --instance https://acme.atlassian.net --operation GET:/issue --status 200 --duration-ms 42',
  },
  { what: texts.usage, command: 'latchkey usage' },
];

/** The commands that lead to the first API call of a customer or user without any. The call replaces them when it arrives. */
export const FirstSteps = () => (
  <Card as="section" aria-label={texts.title}>
    <CardHead title={texts.title} sub={texts.sub} />
    <Box as="ol" listStyleType="none" px={{ base: '4', md: '5' }} pb="4">
      {commandsFor(window.location.origin).map(({ what, command }, index) => (
        <Box as="li" key={command} mt={index === 0 ? '0' : '4'}>
          <Text textStyle="sm" fontWeight="medium" mb="1.5">
            {index + 1}. {what}
          </Text>
          <Flex
            align="center"
            justify="space-between"
            gap="3"
            ps="3.5"
            pe="3"
            py="2"
            bg="bg.subtle"
            borderWidth="1px"
            borderColor="border"
            borderRadius="l2"
          >
            <Text as="code" fontFamily="mono" textStyle="xs" letterSpacing="0" overflowWrap="anywhere">
              {command}
            </Text>
            <CopyButton text={command} label={texts.copy(what)} />
          </Flex>
          {index === 0 && (
            <Text textStyle="xs" color="fg.subtle" mt="1">
              {texts.withKey}
            </Text>
          )}
        </Box>
      ))}
    </Box>
    <Text role="status" textStyle="sm" color="fg.muted" px={{ base: '4', md: '5' }} pb="4">
      {texts.waiting}
    </Text>
  </Card>
);
