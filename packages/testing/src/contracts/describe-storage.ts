import type { WriteTx } from '@gateleg/domain/store'
import { describe } from 'vitest'
import { attachmentRepositoryContract } from './attachment-repository-contract.ts'
import { avatarRepositoryContract } from './avatar-repository-contract.ts'
import { calculationRepositoryContract } from './calculation-repository-contract.ts'
import { chartFinderContract } from './chart-finder-contract.ts'
import { columnRepositoryContract } from './column-repository-contract.ts'
import { commentRepositoryContract } from './comment-repository-contract.ts'
import { dashboardRepositoryContract } from './dashboard-repository-contract.ts'
import { diagramFieldContract } from './diagram-field-contract.ts'
import { fieldRepositoryContract } from './field-repository-contract.ts'
import { fileUseRepositoryContract } from './file-use-contract.ts'
import { historyRepositoryContract } from './history-repository-contract.ts'
import { identityContract } from './identity-contract.ts'
import { importRepositoryContract } from './import-repository-contract.ts'
import { invitationLinkContract } from './invitation-link-contract.ts'
import { jobRepositoryContract } from './job-repository-contract.ts'
import { keptValueContract } from './kept-value-contract.ts'
import { linkRepositoryContract } from './link-repository-contract.ts'
import { loginProviderContract } from './login-provider-contract.ts'
import { nameFinderContract } from './name-finder-contract.ts'
import { oauthClientRepositoryContract, oauthGrantRepositoryContract } from './oauth-contract.ts'
import { openForEachTest, type StorageContract, type StorageUnderTest } from './opened-storage.ts'
import {
  accessTokenRepositoryContract,
  sessionRepositoryContract,
  userRepositoryContract,
} from './people-contract.ts'
import { lastVisitContract, pinContract, seenResourceContract } from './pins-contract.ts'
import {
  accessRepositoryContract,
  baseRepositoryContract,
  collaboratorRepositoryContract,
  invitationRepositoryContract,
  spaceRepositoryContract,
} from './places-contract.ts'
import { pluginInstallRepositoryContract, pluginRepositoryContract } from './plugin-contract.ts'
import { pluginGrantRepositoryContract } from './plugin-grant-contract.ts'
import { pluginPanelContract } from './plugin-panel-contract.ts'
import { recordChangesContract } from './record-changes-contract.ts'
import { recordFinderContract } from './record-finder-contract.ts'
import { recordReaderContract } from './record-reader-contract.ts'
import { recordScannerContract } from './record-scanner-contract.ts'
import { recordSizesContract } from './record-sizes-contract.ts'
import { recordWriterContract } from './record-writer-contract.ts'
import { rowOrderRepositoryContract } from './row-order-repository-contract.ts'
import { searchSignatureContract } from './search-signature-contract.ts'
import { storeContract } from './store-contract.ts'
import { tableIndexRepositoryContract } from './table-index-contract.ts'
import { tableRebuildContract } from './table-rebuild-contract.ts'
import { tableRepositoryContract } from './table-repository-contract.ts'
import { thumbnailRepositoryContract } from './thumbnail-repository-contract.ts'
import { trashRepositoryContract } from './trash-repository-contract.ts'
import {
  folderRepositoryContract,
  nodeRepositoryContract,
  viewRepositoryContract,
  wholeBaseContract,
} from './tree-contract.ts'
import {
  answerRepositoryContract,
  attemptRepositoryContract,
  inviteCodeRepositoryContract,
  signUpCodeRepositoryContract,
} from './tries-contract.ts'
import { undoRepositoryContract } from './undo-repository-contract.ts'
import { usageReaderContract } from './usage-reader-contract.ts'
import { viewShareRepositoryContract } from './view-share-contract.ts'
import { workflowRepositoryContract } from './workflow-repository-contract.ts'

/** What hands out the data of a transaction; the rest of it is the store's own. */
type RepositoryName = Exclude<
  keyof WriteTx,
  'giveWay' | 'emit' | 'onEnd' | 'becomeLong' | 'mayAskAhead' | 'mayDoMore'
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
