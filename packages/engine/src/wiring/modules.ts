import { noMail } from '@gateleg/domain/accounts/mail/mail-settings'
import { openSignUp } from '@gateleg/domain/accounts/sign-up/sign-up-policy'
import { Plans } from '@gateleg/domain/billing/plans'
import type { Clock } from '@gateleg/domain/clock'
import type { PortName } from '@gateleg/domain/ports'
import { defaultSettings } from '@gateleg/domain/settings'
import type { Store } from '@gateleg/domain/store'
import { ContainerModule } from 'inversify'
import { RefusingBlobStore } from '../platform/blobs/refusing-blob-store.ts'
import { CsvParseReader } from '../platform/csv-parse-reader.ts'
import { NodeSecrets } from '../platform/node-secrets.ts'
import { WebOpenIdClient } from '../platform/open-id/web-open-id-client.ts'
import { Argon2PasswordHasher } from '../platform/passwords/argon2-password-hasher.ts'
import { RandomIds } from '../platform/random-ids.ts'
import { SharpThumbnailMaker } from '../platform/thumbnails/sharp-thumbnail-maker.ts'
import { WebFileFetcher } from '../platform/web-files/web-file-fetcher.ts'
import type { ReplaceablePorts } from './replaceable-ports.ts'
import { portToken } from './tokens.ts'

/** Binds what the machine provides (ids, secrets, password hashes) and the default settings. */
export function platformModule(instanceKey: string): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(portToken('ids')).toConstantValue(new RandomIds())
    bind(portToken('secrets')).toConstantValue(new NodeSecrets(instanceKey))
    bind(portToken('passwords')).toConstantValue(new Argon2PasswordHasher())
    bind(portToken('signUpPolicy')).toConstantValue(openSignUp)
    bind(portToken('mail')).toConstantValue(noMail)
    bind(portToken('csvReader')).toConstantValue(new CsvParseReader())
    bind(portToken('settings')).toConstantValue(defaultSettings)
    bind(portToken('plans')).toConstantValue(new Plans())
    bind(portToken('blobs')).toConstantValue(new RefusingBlobStore())
    bind(portToken('thumbnails')).toConstantValue(new SharpThumbnailMaker())
    bind(portToken('fileFetcher')).toConstantValue(new WebFileFetcher())
    bind(portToken('openIdClient')).toConstantValue(new WebOpenIdClient())
  })
}

/** Binds what the engine was opened with. */
export function openingModule(store: Store, clock: Clock): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(portToken('store')).toConstantValue(store)
    bind(portToken('clock')).toConstantValue(clock)
  })
}

/** Binds the ports that the embedding program passes in place of the built-in ones. */
export function replacingModule(ports: Partial<ReplaceablePorts>): ContainerModule {
  return new ContainerModule(({ rebind }) => {
    for (const [name, port] of Object.entries(ports)) {
      if (port === undefined) continue
      rebind(portToken(name as PortName)).toConstantValue(port as never)
    }
  })
}
