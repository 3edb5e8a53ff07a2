import type { Action } from '@gateleg/domain/access/roles'
import type { UseCases } from '@gateleg/domain/use-cases'
import type { Cast, Place } from './place.ts'

/** A call of an operation that succeeds for whoever may make it. */
export interface Sample {
  /** What the call is about, where an operation has several samples. */
  readonly about?: string
  readonly input: Readonly<Record<string, unknown>>
  /** The actions that it takes, all of them, where they depend on the input. */
  readonly actions?: readonly Action[]
}

/** The features whose operations are about a space, a base, a table or a node. */
export type PlacedFeature =
  | 'spaces'
  | 'bases'
  | 'collaborators'
  | 'tree'
  | 'tables'
  | 'fields'
  | 'records'
  | 'views'

type SamplesOf<Feature extends PlacedFeature> = {
  readonly [Name in keyof UseCases[Feature]]: Sample | readonly Sample[]
}

/** A sample of every operation of those features; one that has none is a type error. */
export function samplesIn(
  place: Place,
  { member, stranger }: Cast,
): { readonly [Feature in PlacedFeature]: SamplesOf<Feature> } {
  const { spaceId, baseId, tableId, recordId, viewId, otherBaseId, otherTableId } = place
  const inSpace = (more: object = {}): Sample => ({ input: { spaceId, ...more } })
  const inBase = (more: object = {}): Sample => ({ input: { baseId, ...more } })
  const inTable = (more: object = {}): Sample => ({ input: { tableId, ...more } })
  const onTable = (more: object = {}): Sample => ({ input: { baseId, tableId, ...more } })
  const principal = (userId: string) => ({ principalId: userId, principalType: 'user' })
  return {
    spaces: {
      createSpace: { input: {} },
      listSpaces: { input: {} },
      getSpace: inSpace(),
      renameSpace: inSpace({ name: 'Renamed' }),
      deleteSpace: inSpace(),
      deleteSpacePermanently: inSpace(),
    },
    bases: {
      createBase: inSpace({ name: 'New' }),
      listBases: inSpace(),
      listAllBases: { input: {} },
      getBase: inBase(),
      updateBase: inBase({ name: 'Renamed' }),
      moveBase: inBase({ anchorId: otherBaseId, position: 'after' }),
      deleteBase: inBase(),
      deleteBasePermanently: inBase(),
      getBasePermissions: inBase(),
      verifyBase: inBase(),
    },
    collaborators: {
      listSpaceCollaborators: inSpace(),
      addSpaceCollaborators: inSpace({
        collaborators: [principal(stranger.userId)],
        role: 'viewer',
      }),
      inviteToSpace: inSpace({ emails: [stranger.email], role: 'viewer' }),
      inviteToBase: inBase({ emails: [stranger.email], role: 'viewer' }),
      changeSpaceCollaborator: inSpace({ ...principal(member.userId), role: 'commenter' }),
      removeSpaceCollaborator: inSpace(principal(member.userId)),
      listBaseCollaborators: inBase(),
      addBaseCollaborators: inBase({ collaborators: [principal(stranger.userId)], role: 'viewer' }),
      changeBaseCollaborator: inBase({ ...principal(member.userId), role: 'commenter' }),
      listSpaceInvitations: inSpace(),
      withdrawSpaceInvitation: inSpace({ invitationId: place.spaceInvitationId }),
      listBaseInvitations: inBase(),
      withdrawBaseInvitation: inBase({ invitationId: place.baseInvitationId }),
      removeBaseCollaborator: inBase(principal(member.userId)),
    },
    tree: treeSamples(place),
    tables: {
      createTable: inBase({ name: 'New' }),
      listTables: inBase(),
      getTable: onTable(),
      getDefaultView: onTable(),
      renameTable: onTable({ name: 'Renamed' }),
      describeTable: onTable({ description: 'What it is' }),
      setTableIcon: onTable({ icon: '🪑' }),
      moveTable: onTable({ anchorId: otherTableId, position: 'after' }),
      deleteTable: onTable(),
      deleteTablePermanently: onTable(),
    },
    fields: fieldSamples(place),
    records: {
      createRecords: inTable({ records: [{ fields: { Name: 'New' } }] }),
      listRecords: inTable(),
      getRecord: inTable({ recordId }),
      updateRecord: inTable({ recordId, record: { fields: { Name: 'Changed' } } }),
      updateRecords: inTable({ records: [{ id: recordId, fields: { Name: 'Changed' } }] }),
      deleteRecord: inTable({ recordId }),
      deleteRecords: inTable({ recordIds: [recordId] }),
    },
    views: { listViews: inTable(), getView: inTable({ viewId }) },
  }
}

/** What a new field takes depends on whether it leads to another table or reads other fields. */
function fieldSamples(place: Place): SamplesOf<'fields'> {
  const { tableId, primaryFieldId, fieldId, linkFieldId, otherTableId, otherFieldId } = place
  const inTable = (more: object = {}): Sample => ({ input: { tableId, ...more } })
  const lookupOptions = { foreignTableId: otherTableId, linkFieldId, lookupFieldId: otherFieldId }
  const definitions: readonly (readonly [string, object])[] = [
    ['text', { type: 'singleLineText' }],
    ['link', { type: 'link', options: { relationship: 'oneMany', foreignTableId: otherTableId } }],
    ['lookup', { type: 'singleLineText', isLookup: true, lookupOptions }],
    ['rollup', { type: 'rollup', lookupOptions }],
    ['formula', { type: 'formula', options: { expression: `{${primaryFieldId}} & "!"` } }],
  ]
  const made = definitions.map(([about, definition]) => ({ about, ...inTable(definition) }))
  const changed = definitions.map(([about, definition]) => ({
    about,
    ...inTable({ fieldId, ...definition }),
  }))
  return {
    createField: made,
    listFields: inTable(),
    getDeleteReferences: inTable({ fieldIds: [fieldId] }),
    getField: inTable({ fieldId }),
    updateField: inTable({ fieldId, name: 'Renamed' }),
    convertField: changed,
    duplicateField: inTable({ fieldId }),
    deleteField: inTable({ fieldId }),
    deleteFields: inTable({ fieldIds: [fieldId] }),
    planCreation: made,
    planConversion: changed,
    planDeletion: inTable({ fieldId }),
  }
}

/** What the operations of the tree take depends on what the node stands for. */
function treeSamples(place: Place): SamplesOf<'tree'> {
  const { baseId, tableNodeId, folderNodeId, folderId, dashboardNodeId } = place
  const folder = (actions: readonly Action[], more: object = {}): Sample => ({
    about: 'folder',
    input: { baseId, nodeId: folderNodeId, ...more },
    actions,
  })
  const table = (actions: readonly Action[], more: object = {}): Sample => ({
    about: 'table',
    input: { baseId, nodeId: tableNodeId, ...more },
    actions,
  })
  const made = (resourceType: string, action: Action): Sample => ({
    about: resourceType,
    input: { baseId, resourceType, name: 'New' },
    actions: [action],
  })
  return {
    createNode: [
      made('folder', 'base|update'),
      made('dashboard', 'base|update'),
      made('table', 'table|create'),
      made('workflow', 'automation|create'),
    ],
    getNode: [folder(['base|read']), table(['table|read'])],
    listNodes: { input: { baseId } },
    getTree: { input: { baseId } },
    updateNode: [
      folder(['base|read', 'base|update'], { name: 'Renamed' }),
      table(['table|read', 'table|update'], { name: 'Renamed' }),
    ],
    moveNode: [
      folder(['base|update'], { parentId: null }),
      table(['table|read', 'base|update'], { parentId: folderNodeId }),
    ],
    duplicateNode: [
      {
        about: 'dashboard',
        input: { baseId, nodeId: dashboardNodeId },
        actions: ['base|read', 'base|update'],
      },
      table(['table|read', 'table|create'], { includeRecords: true }),
    ],
    deleteNode: [folder(['base|update']), table(['table|delete'])],
    deleteNodePermanently: [folder(['base|update']), table(['table|delete'])],
    createFolder: { input: { baseId, name: 'New' } },
    renameFolder: { input: { baseId, folderId, name: 'Renamed' }, actions: ['base|update'] },
    deleteFolder: { input: { baseId, folderId }, actions: ['base|update'] },
  }
}
