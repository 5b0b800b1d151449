export { arrivedIn } from './api/arrivals.ts';
export { successfulPerSecond } from './api/points.ts';
export { timelineQuery, useTimeline } from './api/timeline.ts';
