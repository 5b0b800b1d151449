import { Button } from '@chakra-ui/react';
import { Card } from './Card.tsx';
import { ArrowLeft, type LucideIcon } from './icons.ts';
import { Link } from './Link.tsx';
import { PageHead } from './PageHead.tsx';
import { Empty } from './states.tsx';

type NotFoundProps = { title: string; hint: string; icon: LucideIcon; to: string; back: string };

/** The entry that the address names does not exist; `back` is the text of the link to the list. */
export const NotFound = ({ title, hint, icon, to, back }: NotFoundProps) => (
  <>
    <PageHead title={title} />
    <Card>
      <Empty
        icon={icon}
        title={hint}
        height="360px"
        action={
          <Button asChild variant="outline" size="sm">
            <Link to={to}>
              <ArrowLeft aria-hidden />
              {back}
            </Link>
          </Button>
        }
      />
    </Card>
  </>
);
