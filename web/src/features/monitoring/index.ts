export { successfulPerSecond } from './api/points.ts';
export { timelineQuery, useTimeline } from './api/timeline.ts';
