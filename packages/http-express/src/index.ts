export type { AnswerLimits } from './answers/answer-budget.ts'
export type { BodyLimits } from './bodies/body-reader.ts'
export type { CallLimitOptions } from './callers/call-limits.ts'
export {
  createHttpApp,
  type HttpApp,
  type HttpAppOptions,
  type ServedEngine,
} from './create-http-app.ts'
export { type HttpServer, type ListenOptions, listen } from './http-server.ts'
export type { Logger } from './logger.ts'
