// What programs may use of this package. All else is for the other packages of Gateleg, and may change any time.
export type { Actor, AnonymousActor, TokenActor, UserActor } from './access/actor.ts'
export { type MailSettings, noMail } from './accounts/mail/mail-settings.ts'
export type { Mail, Mailer } from './accounts/mail/mailer.ts'
export type { KnownUser, OwnUser } from './accounts/operations/ensure-user.ts'
export type { PasswordHasher } from './accounts/passwords/password-hasher.ts'
export type { HumanCheck } from './accounts/sign-up/human-check.ts'
export { openSignUp, type SignUpPolicy } from './accounts/sign-up/sign-up-policy.ts'
export type { Api, Operation, PublicApi, UseCaseName } from './api.ts'
export type {
  BlobStore,
  ByteRange,
  ListedBlob,
  PutBlob,
} from './attachments/blob-store.ts'
export {
  type FetchedFile,
  FetchRefusal,
  type FileFetcher,
  type FileRequest,
} from './attachments/files/file-fetcher.ts'
export type { FileSource } from './attachments/files/file-source.ts'
export { ServedFile } from './attachments/served-file.ts'
export { noThumbnails, type ThumbnailMaker } from './attachments/thumbnails/thumbnail-maker.ts'
export { type Catalogue, type ReadCatalogue, readCatalogue } from './billing/catalogue.ts'
export { type Plan, type PlanSwitch, Plans } from './billing/plans.ts'
export type { AddOnProduct, BaseProduct, Level, PlanLimits } from './billing/product.ts'
export type { Call, Trace } from './calls/call.ts'
export type { CallOptions } from './calls/call-options.ts'
export type { Clock, Timestamp } from './clock.ts'
export { DomainError, type ErrorCode, type ErrorData, errorCodes, type Issue } from './errors.ts'
export type { DomainEvent, EventName, EventPayloads } from './events/event.ts'
export type { FieldOutput } from './fields/field-output.ts'
export type { SentFilter, SentFilterItem } from './fields/filter.ts'
export type { FieldInput } from './fields/operations/definition/field-input.ts'
export type {
  OpenIdClaims,
  OpenIdClient,
  OpenIdConnection,
  OpenIdQuestion,
  OpenIdReturn,
} from './identities/open-id-client.ts'
export type { IdKind } from './ids/id-prefixes.ts'
export type { Ids } from './ids.ts'
export type { ParkedJob } from './jobs/job.ts'
export { limits } from './limits.ts'
export type { PortName, Ports } from './ports.ts'
export type { Secrets } from './secrets.ts'
export { defaultSettings, type Settings } from './settings.ts'
export type {
  OpenStorage,
  ReadTx,
  Storage,
  StorageDependencies,
  Store,
  WriteTx,
} from './store.ts'
