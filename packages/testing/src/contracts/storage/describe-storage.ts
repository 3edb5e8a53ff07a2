import type { WriteTx } from '@gateleg/domain/store'
import { describe } from 'vitest'
import { avatarRepositoryContract } from '../accounts/avatar-repository-contract.ts'
import { identityContract } from '../accounts/identity-contract.ts'
import { invitationLinkContract } from '../accounts/invitation-link-contract.ts'
import { loginProviderContract } from '../accounts/login-provider-contract.ts'
import {
  oauthClientRepositoryContract,
  oauthGrantRepositoryContract,
} from '../accounts/oauth-contract.ts'
import {
  accessTokenRepositoryContract,
  sessionRepositoryContract,
  userRepositoryContract,
} from '../accounts/people-contract.ts'
import { pluginGrantRepositoryContract } from '../accounts/plugin-grant-contract.ts'
import {
  answerRepositoryContract,
  attemptRepositoryContract,
  inviteCodeRepositoryContract,
  signUpCodeRepositoryContract,
} from '../accounts/tries-contract.ts'
import { usageReaderContract } from '../accounts/usage-reader-contract.ts'
import { commentRepositoryContract } from '../changes/comment-repository-contract.ts'
import { historyRepositoryContract } from '../changes/history-repository-contract.ts'
import { importRepositoryContract } from '../changes/import-repository-contract.ts'
import { jobRepositoryContract } from '../changes/job-repository-contract.ts'
import { trashRepositoryContract } from '../changes/trash-repository-contract.ts'
import { undoRepositoryContract } from '../changes/undo-repository-contract.ts'
import { diagramFieldContract } from '../fields/diagram-field-contract.ts'
import { fieldRepositoryContract } from '../fields/field-repository-contract.ts'
import { tableRebuildContract } from '../fields/table-rebuild-contract.ts'
import { attachmentRepositoryContract } from '../files/attachment-repository-contract.ts'
import { fileUseRepositoryContract } from '../files/file-use-contract.ts'
import { thumbnailRepositoryContract } from '../files/thumbnail-repository-contract.ts'
import { openForEachTest, type StorageContract, type StorageUnderTest } from '../opened-storage.ts'
import { calculationRepositoryContract } from '../records/calculation-repository-contract.ts'
import { columnRepositoryContract } from '../records/column-repository-contract.ts'
import { keptValueContract } from '../records/kept-value-contract.ts'
import { linkRepositoryContract } from '../records/link-repository-contract.ts'
import { recordChangesContract } from '../records/record-changes-contract.ts'
import { recordFinderContract } from '../records/record-finder-contract.ts'
import { recordReaderContract } from '../records/record-reader-contract.ts'
import { recordScannerContract } from '../records/record-scanner-contract.ts'
import { recordSizesContract } from '../records/record-sizes-contract.ts'
import { recordWriterContract } from '../records/record-writer-contract.ts'
import { rowOrderRepositoryContract } from '../records/row-order-repository-contract.ts'
import { searchSignatureContract } from '../records/search-signature-contract.ts'
import { tableIndexRepositoryContract } from '../records/table-index-contract.ts'
import { chartFinderContract } from '../tree/chart-finder-contract.ts'
import { dashboardRepositoryContract } from '../tree/dashboard-repository-contract.ts'
import { nameFinderContract } from '../tree/name-finder-contract.ts'
import { lastVisitContract, pinContract, seenResourceContract } from '../tree/pins-contract.ts'
import {
  accessRepositoryContract,
  baseRepositoryContract,
  collaboratorRepositoryContract,
  invitationRepositoryContract,
  spaceRepositoryContract,
} from '../tree/places-contract.ts'
import {
  pluginInstallRepositoryContract,
  pluginRepositoryContract,
} from '../tree/plugin-contract.ts'
import { pluginPanelContract } from '../tree/plugin-panel-contract.ts'
import { tableRepositoryContract } from '../tree/table-repository-contract.ts'
import {
  folderRepositoryContract,
  nodeRepositoryContract,
  viewRepositoryContract,
  wholeBaseContract,
} from '../tree/tree-contract.ts'
import { viewShareRepositoryContract } from '../tree/view-share-contract.ts'
import { workflowRepositoryContract } from '../tree/workflow-repository-contract.ts'
import { storeContract } from './store-contract.ts'

/** What hands out the data of a transaction; the rest of it is the store's own. */
type RepositoryName = Exclude<
  keyof WriteTx,
  'giveWay' | 'emit' | 'onEnd' | 'becomeLong' | 'mayAskAhead' | 'mayDoMore' | 'askOnceHeld'
>

/** What every storage promises, by repository. One that has no contract is a type error. */
export const storageContracts: Readonly<
  Record<RepositoryName | 'store', readonly [StorageContract, ...StorageContract[]]>
> = {
  store: [storeContract],
  access: [accessRepositoryContract],
  accessTokens: [accessTokenRepositoryContract],
  answers: [answerRepositoryContract],
  avatars: [avatarRepositoryContract],
  attachments: [attachmentRepositoryContract],
  thumbnails: [thumbnailRepositoryContract],
  fileUses: [fileUseRepositoryContract],
  attempts: [attemptRepositoryContract],
  bases: [baseRepositoryContract],
  calculations: [calculationRepositoryContract],
  canonical: [wholeBaseContract],
  chartFinder: [chartFinderContract],
  collaborators: [collaboratorRepositoryContract],
  columns: [columnRepositoryContract],
  comments: [commentRepositoryContract],
  dashboards: [dashboardRepositoryContract],
  diagramFields: [diagramFieldContract],
  fields: [fieldRepositoryContract],
  folders: [folderRepositoryContract],
  invitations: [invitationRepositoryContract],
  invitationLinks: [invitationLinkContract],
  pins: [pinContract],
  lastVisits: [lastVisitContract],
  seenResources: [seenResourceContract],
  nameFinder: [nameFinderContract],
  inviteCodes: [inviteCodeRepositoryContract],
  history: [historyRepositoryContract],
  identities: [identityContract],
  imports: [importRepositoryContract],
  jobs: [jobRepositoryContract],
  links: [linkRepositoryContract],
  loginProviders: [loginProviderContract],
  nodes: [nodeRepositoryContract],
  plugins: [pluginRepositoryContract],
  pluginPanels: [pluginPanelContract],
  pluginGrants: [pluginGrantRepositoryContract],
  oauthClients: [oauthClientRepositoryContract],
  oauthGrants: [oauthGrantRepositoryContract],
  pluginInstalls: [pluginInstallRepositoryContract],
  purge: [wholeBaseContract],
  records: [recordReaderContract],
  recordFinder: [recordFinderContract],
  recordScanner: [recordScannerContract],
  recordWriter: [recordWriterContract, recordChangesContract],
  recordSizes: [recordSizesContract],
  rowOrders: [rowOrderRepositoryContract],
  searchSignatures: [searchSignatureContract],
  sessions: [sessionRepositoryContract],
  addressCodes: [signUpCodeRepositoryContract],
  spaces: [spaceRepositoryContract],
  tables: [tableRepositoryContract],
  tableRebuilds: [tableRebuildContract],
  trash: [trashRepositoryContract],
  tableIndexes: [tableIndexRepositoryContract],
  undo: [undoRepositoryContract],
  keptValues: [keptValueContract],
  usage: [usageReaderContract],
  users: [userRepositoryContract],
  views: [viewRepositoryContract],
  viewShares: [viewShareRepositoryContract],
  workflows: [workflowRepositoryContract],
}

/**
 * Declares the tests of everything that a storage promises, each on an empty storage of its own. A storage
 * that passes them all can be given to an engine.
 */
export function describeStorage(storage: StorageUnderTest): void {
  describe(storage.name, () => {
    const opened = openForEachTest(storage)
    for (const contract of new Set(Object.values(storageContracts).flat())) {
      // A block of its own: what a contract does before each of its tests is not done before all others.
      describe(contract.name, () => contract(opened))
    }
  })
}
