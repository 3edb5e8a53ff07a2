import type { MailSettings } from './accounts/mail/mail-settings.ts'
import type { PasswordHasher } from './accounts/passwords/password-hasher.ts'
import type { SignUpPolicy } from './accounts/sign-up/sign-up-policy.ts'
import type { BlobStore } from './attachments/blob-store.ts'
import type { FileFetcher } from './attachments/files/file-fetcher.ts'
import type { ThumbnailMaker } from './attachments/thumbnails/thumbnail-maker.ts'
import type { Plans } from './billing/plans.ts'
import type { Clock } from './clock.ts'
import type { OpenIdClient } from './identities/open-id-client.ts'
import type { Ids } from './ids.ts'
import type { CsvReader } from './imports/csv-reader.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store.ts'

/** Everything the domain needs from outside, by the name under which use cases ask for it. */
export interface Ports {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: Secrets
  readonly passwords: PasswordHasher
  readonly signUpPolicy: SignUpPolicy
  readonly mail: MailSettings
  readonly settings: Settings
  readonly plans: Plans
  readonly blobs: BlobStore
  readonly thumbnails: ThumbnailMaker
  readonly fileFetcher: FileFetcher
  readonly csvReader: CsvReader
  readonly openIdClient: OpenIdClient
}

/** The name by which a use case asks for a port. */
export type PortName = keyof Ports
