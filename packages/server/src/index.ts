// All that an embedding program needs, in one import.
export { type PostgresOptions, postgres } from '@gateleg/adapters-postgres'
export {
  backUpFile,
  type FileContent,
  FileInUseError,
  FileUnusableError,
  type SqliteOptions,
  sqlite,
} from '@gateleg/adapters-sqlite'
export {
  type Actor,
  type Api,
  type BlobStore,
  type CallOptions,
  type Clock,
  DomainError,
  type DomainEvent,
  defaultSettings,
  type ErrorCode,
  type EventName,
  type FetchedFile,
  FetchRefusal,
  type FieldInput,
  type FieldOutput,
  type FileFetcher,
  type FileRequest,
  type FileSource,
  type Ids,
  type InvitationMail,
  limits,
  type Mailer,
  openSignUp,
  type PasswordHasher,
  type Ports,
  type Secrets,
  type Settings,
  type SignUpPolicy,
  type Storage,
  type UseCaseName,
} from '@gateleg/domain'
export {
  type Caller,
  DiskBlobStore,
  type Engine,
  type EngineOptions,
  openEngine,
  type ReplaceablePorts,
  WebFileFetcher,
  type WebFileOptions,
} from '@gateleg/engine'
export type {
  HttpApp,
  HttpAppOptions,
  HttpServer,
  ListenOptions,
} from '@gateleg/http-express'
export { createHttpApp, listen } from './http-on-demand.ts'
