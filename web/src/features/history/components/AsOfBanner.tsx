import { Box, Button } from '@chakra-ui/react';
import { format } from '../../../lib/format.ts';
import { History } from '../../../ui/icons.ts';
import { Banner } from '../../../ui/states.tsx';
import type { AsOfSource } from '../api/history.ts';
import { bannerTexts as texts } from '../bannerTexts.ts';
import { useAsOf } from './useAsOf.ts';

/** States that the screen shows an earlier moment, while the address has one. It stays visible while scrolling. */
export const AsOfBanner = ({ kind }: { kind: AsOfSource['kind'] }) => {
  const { at, other, choose } = useAsOf();
  if (at === null) return null;
  return (
    <Box position="sticky" top="16" zIndex="docked" mb="5" bg="bg.canvas" borderRadius="l2">
      <Banner
        tone="warning"
        icon={History}
        action={
          <Button size="xs" variant="outline" onClick={() => choose(null)}>
            {texts.backToNow}
          </Button>
        }
      >
        {texts.viewing(
          texts.subjects[kind],
          [at, ...(other === null ? [] : [other])].map((moment) => format.zoned(moment)),
        )}
      </Banner>
    </Box>
  );
};
