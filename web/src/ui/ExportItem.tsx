import { Button } from '@chakra-ui/react';

/** A list that the server exports, with the filter that is shown. The whole list is exported, whatever page is shown. */
export type ExportedList = Readonly<{
  path: string;
  query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** What the list contains; only where a menu has several. */
  label?: string;
}>;

type ItemProps = { onClick: () => void; isDisabled?: boolean; children: string };

/** One of the choices in an export menu. */
export const ExportItem = ({ onClick, isDisabled = false, children }: ItemProps) => (
  <Button size="sm" variant="ghost" w="full" justifyContent="flex-start" disabled={isDisabled} onClick={onClick}>
    {children}
  </Button>
);
