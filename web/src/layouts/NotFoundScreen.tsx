import { useLocation } from 'react-router-dom';
import { areaOf, homePath } from '../areas.ts';
import { Search } from '../ui/icons.ts';
import { NotFound } from '../ui/NotFound.tsx';
import { notFoundTexts as texts } from './notFoundTexts.ts';

/** What an address of an area shows that has no screen. */
export const NotFoundScreen = () => {
  const area = areaOf(useLocation().pathname);
  return <NotFound title={texts.title} hint={texts.hint} icon={Search} to={area ? homePath[area] : '/'} back={texts.back} />;
};
