import type { ComponentPropsWithRef } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';

type LinkProps = Omit<ComponentPropsWithRef<'a'>, 'href' | 'target'> & { to: string; replace?: boolean };

/** A link to a screen of the console. The router's own link includes 3 kB for prefetching from a server framework. */
export const Link = ({ to, replace = false, onClick, ...rest }: LinkProps) => {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, replace ? { replace } : {});
  return (
    <a
      {...rest}
      href={useHref(to)}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) follow(event);
      }}
    />
  );
};
