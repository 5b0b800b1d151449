export { IdleReleaseField, idleReleaseIn, typedIdleRelease } from './components/IdleReleaseField.tsx';
export { idleReleaseTexts } from './texts.ts';
