import { Box, Button } from '@chakra-ui/react';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import type { LucideIcon } from './icons.ts';
import { useIsWide } from './media.ts';

/** Between the button and the panel, in px. */
const GAP = 6;
/** Between the panel and the edges of a narrow screen, in px. */
const EDGE = 12;
const PANEL_WIDTH = 280;

type PopoverProps = {
  /** The button's text, and the name of the panel. */
  label: string;
  icon: LucideIcon;
  /** `close` closes the panel and returns the focus to the button. */
  children: (close: () => void) => ReactNode;
};

/**
 * A button that shows a panel below it, or above it where it does not fit below; on a narrow screen the panel is at the bottom. It is
 * not clipped by the card around it.
 * Escape, a click elsewhere, and moving the focus elsewhere close it.
 */
export const Popover = ({ label, icon: Icon, children }: PopoverProps) => {
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState({ top: 0, right: 0 });
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const isWide = useIsWide();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useLayoutEffect(() => {
    if (!isOpen) return;
    const follow = () => {
      const { top, bottom, right } = button.current?.getBoundingClientRect() ?? { top: 0, bottom: 0, right: 0 };
      const { clientWidth: width, clientHeight: height } = document.documentElement;
      const needed = GAP + (panel.current?.offsetHeight ?? 0);
      const isBelow = bottom + needed + EDGE <= height;
      setPlace({
        top: isBelow ? bottom + GAP : Math.max(EDGE, top - needed),
        right: Math.max(0, Math.min(width - right, width - PANEL_WIDTH - EDGE)),
      });
    };
    follow();
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false);
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      window.removeEventListener('scroll', follow);
      window.removeEventListener('resize', follow);
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, [isOpen]);
  return (
    <Box ref={box} position="relative">
      <Button
        ref={button}
        size="sm"
        variant="outline"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon aria-hidden />
        {label}
      </Button>
      {isOpen && (
        <Box
          ref={panel}
          id={id}
          role="group"
          aria-label={label}
          position="fixed"
          style={isWide ? place : { insetInline: EDGE, bottom: EDGE }}
          zIndex="dropdown"
          w={{ md: `${PANEL_WIDTH}px` }}
          maxH="min(520px, 70dvh)"
          overflowY="auto"
          p="4"
          bg="bg.panel"
          color="fg"
          textAlign="start"
          borderWidth="1px"
          borderColor="border"
          borderRadius="l3"
          boxShadow="lg"
        >
          {children(close)}
        </Box>
      )}
    </Box>
  );
};
