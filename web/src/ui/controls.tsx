import { chakra } from '@chakra-ui/react';
import { type ComponentProps, createContext, type ReactNode, useContext, useId, useMemo } from 'react';
import { input, nativeSelect, textarea } from '../theme/recipes/controls.ts';
import { ChevronDown, CircleAlert } from './icons.ts';

/** The attributes that connect a control with its label, error and hint. */
type Tie = { id: string; 'aria-invalid': boolean; 'aria-describedby': string; required: boolean };

const TieContext = createContext<Tie | null>(null);

type FieldFrameProps = {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  isRequired?: boolean;
  /** Says '(optional)' beside the label of a field that is not required. */
  saysOptional?: boolean;
  children: ReactNode;
};

/** Label, control, and below it the error or else the hint. Screen readers announce an error when it appears. */
export const FieldFrame = ({ label, error, hint, isRequired = false, saysOptional = true, children }: FieldFrameProps) => {
  const id = useId();
  const note = `${id}-note`;
  const isInvalid = Boolean(error);
  const tie = useMemo(
    () => ({ id, 'aria-invalid': isInvalid, 'aria-describedby': note, required: isRequired }),
    [id, isInvalid, note, isRequired],
  );
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5" width="full">
      <chakra.div textStyle="sm">
        <chakra.label htmlFor={id} fontWeight="medium">
          {label}
        </chakra.label>
        {!isRequired && saysOptional && (
          <chakra.span color="fg.subtle" ms="1.5" aria-hidden>
            (optional)
          </chakra.span>
        )}
      </chakra.div>
      <TieContext value={tie}>{children}</TieContext>
      <chakra.div id={note} aria-live="polite" _empty={{ mt: '-1.5' }}>
        {error ? (
          <chakra.span
            display="flex"
            gap="1"
            alignItems="center"
            color="fg.error"
            textStyle="xs"
            fontWeight="medium"
            css={{ '& > svg': { flexShrink: 0 } }}
          >
            <CircleAlert size={14} aria-hidden />
            {error}
          </chakra.span>
        ) : (
          hint && (
            <chakra.span color="fg.subtle" textStyle="xs">
              {hint}
            </chakra.span>
          )
        )}
      </chakra.div>
    </chakra.div>
  );
};

const InputElement = chakra('input', input);
const TextareaElement = chakra('textarea', textarea);
const SelectElement = chakra('select', nativeSelect);

/** A line of text. A `FieldFrame` around it labels it; elsewhere it needs an `aria-label`. */
export const Input = (props: ComponentProps<typeof InputElement>) => <InputElement {...useContext(TieContext)} {...props} />;

/** Several lines of text. */
export const Textarea = (props: ComponentProps<typeof TextareaElement>) => (
  <TextareaElement {...useContext(TieContext)} {...props} />
);

/** A select; children are `option` elements. */
export const Select = (props: ComponentProps<typeof SelectElement>) => (
  <chakra.div className="no-print" position="relative" width="full">
    <SelectElement {...useContext(TieContext)} {...props} />
    <chakra.div
      position="absolute"
      insetEnd="2.5"
      top="50%"
      transform="translateY(-50%)"
      color="fg.subtle"
      pointerEvents="none"
      aria-hidden
    >
      <ChevronDown size={16} />
    </chakra.div>
  </chakra.div>
);
