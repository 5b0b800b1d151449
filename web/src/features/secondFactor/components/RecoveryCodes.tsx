import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { download } from '../../../lib/download.ts';
import { Copy, Download } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { secondFactorTexts as texts } from '../texts.ts';

type RecoveryCodesProps = {
  codes: readonly string[];
  /** Whose codes the file contains. */
  account: string;
};

/** New recovery codes, which the server shows once, with buttons to keep them. */
export const RecoveryCodes = ({ codes, account }: RecoveryCodesProps) => {
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => notify.success(texts.copied),
      () => notify.error(texts.copyFailed),
    );
  const save = () =>
    download(new Blob([`${texts.fileHead(account)}\n\n${codes.join('\n')}\n`], { type: 'text/plain' }), texts.fileName);
  return (
    <Box>
      <Text textStyle="sm" color="fg.muted">
        {texts.codesHint}
      </Text>
      <chakra.ul
        aria-label={texts.codesTitle}
        listStyleType="none"
        display="grid"
        gridTemplateColumns="repeat(auto-fill, minmax(132px, 1fr))"
        gap="2"
        my="4"
        p="3"
        bg="bg.muted"
        borderWidth="1px"
        borderRadius="l2"
      >
        {codes.map((code) => (
          <chakra.li key={code} fontFamily="mono" textStyle="sm" letterSpacing="0">
            {code}
          </chakra.li>
        ))}
      </chakra.ul>
      <Flex gap="2" wrap="wrap">
        <Button size="sm" variant="outline" onClick={copy}>
          <Copy aria-hidden />
          {texts.copyCodes}
        </Button>
        <Button size="sm" variant="outline" onClick={save}>
          <Download aria-hidden />
          {texts.downloadCodes}
        </Button>
      </Flex>
    </Box>
  );
};
