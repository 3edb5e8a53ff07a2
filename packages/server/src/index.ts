// All that an embedding program needs, in one import. Values come from files that load little: it is loaded by every start.
export { type PostgresOptions, postgres } from '@gateleg/adapters-postgres'
export {
  backUpFile,
  type FileContent,
  FileInUseError,
  FileUnusableError,
  type SqliteOptions,
  sqlite,
} from '@gateleg/adapters-sqlite'
export type {
  Actor,
  Api,
  BlobStore,
  CallOptions,
  Catalogue,
  Clock,
  DomainEvent,
  ErrorCode,
  EventName,
  FetchedFile,
  FieldInput,
  FieldOutput,
  FileFetcher,
  FileRequest,
  FileSource,
  Ids,
  Mailer,
  MailSettings,
  OpenIdClaims,
  OpenIdClient,
  OpenIdConnection,
  OpenIdQuestion,
  OpenIdReturn,
  PasswordHasher,
  Ports,
  Secrets,
  SentFilter,
  SentFilterItem,
  Settings,
  SignUpPolicy,
  Storage,
  ThumbnailMaker,
  UseCaseName,
} from '@gateleg/domain'
export { openSignUp } from '@gateleg/domain/accounts/sign-up/sign-up-policy'
export { FetchRefusal } from '@gateleg/domain/attachments/files/file-fetcher'
export { noThumbnails } from '@gateleg/domain/attachments/thumbnails/thumbnail-maker'
export { Plans } from '@gateleg/domain/billing/plans'
export { DomainError } from '@gateleg/domain/errors'
export { limits } from '@gateleg/domain/limits'
export { defaultSettings } from '@gateleg/domain/settings'
export type {
  Caller,
  Engine,
  EngineOptions,
  ReplaceablePorts,
  WebFileOptions,
  WebOpenIdOptions,
} from '@gateleg/engine'
export { openEngine } from '@gateleg/engine/open-engine'
export { DiskBlobStore } from '@gateleg/engine/platform/blobs/disk-blob-store'
export { WebOpenIdClient } from '@gateleg/engine/platform/open-id/web-open-id-client'
export { WebFileFetcher } from '@gateleg/engine/platform/web-files/web-file-fetcher'
export type {
  HttpApp,
  HttpAppOptions,
  HttpServer,
  ListenOptions,
} from '@gateleg/http-express'
export { readCatalogue } from './catalogue-on-demand.ts'
export { createHttpApp, listen } from './http-on-demand.ts'
