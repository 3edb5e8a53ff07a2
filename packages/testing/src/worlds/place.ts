import type { Role } from '@gateleg/domain/access/roles'
import type { FileSource } from '@gateleg/domain/attachments/files/file-source'
import type { CollaboratorPlace } from '@gateleg/domain/collaborators/collaborator-repository'
import type { Invitation } from '@gateleg/domain/collaborators/invitations/invitation'
import type { Store } from '@gateleg/domain/store'
import type { Person, World } from './world.ts'

/** A space with a base that has one of everything, and a person per role. */
export interface Place {
  readonly spaceId: string
  readonly baseId: string
  /** A second base of the space, to move the first one beside. */
  readonly otherBaseId: string
  readonly tableId: string
  /** A second table, to move the first one beside. */
  readonly otherTableId: string
  readonly primaryFieldId: string
  /** A field that is not the primary one. */
  readonly fieldId: string
  /** A field that links the table to the second one, by whose fields it is not shown. */
  readonly linkFieldId: string
  /** A field of buttons, which may be set back. */
  readonly buttonFieldId: string
  /** A field of who made a record. */
  readonly makerFieldId: string
  /** A field of attachments. */
  readonly filesFieldId: string
  /** The token of the file that the record has in it. */
  readonly fileToken: string
  /** Where its bytes are, and what its URL says. */
  readonly filePath: string
  readonly fileUrlToken: string
  /** Tokens of its owner: of an upload that is awaited, and of a file that no cell has. */
  readonly openUploadToken: string
  readonly uploadedToken: string
  /** The primary field of the second table. */
  readonly otherFieldId: string
  /** A field of dates of the second table. */
  readonly dateFieldId: string
  readonly viewId: string
  /** A second view of the table, to move the first one beside. */
  readonly otherViewId: string
  /** A third one, a form that is shared. */
  readonly sharedViewId: string
  readonly recordId: string
  /** A second record of the table, to put the first one beside. */
  readonly otherRecordId: string
  /** A comment on the record by its owner, and those of the cast with a role that allows it. */
  readonly commentId: string
  readonly ownerCommentId: string
  readonly creatorCommentId: string
  readonly editorCommentId: string
  readonly commenterCommentId: string
  /** The node of the table. */
  readonly tableNodeId: string
  /** The node of an empty folder, and the folder itself. */
  readonly folderNodeId: string
  readonly folderId: string
  /** The node of a dashboard, and the dashboard itself. */
  readonly dashboardNodeId: string
  readonly dashboardId: string
  /** A workflow that is active, and one to move it beside. */
  readonly workflowId: string
  readonly otherWorkflowId: string
  /** The nodes of its draft. */
  readonly triggerId: string
  readonly actionId: string
  readonly logicId: string
  /** A workflow that a webhook sets off, and that. */
  readonly webhookWorkflowId: string
  readonly webhookTriggerId: string
  /** A plugin on the dashboard, a panel of the table, and a plugin on that. */
  readonly dashboardInstallId: string
  readonly pluginPanelId: string
  readonly panelInstallId: string
  /** Two plugins in the menu of the table's records. */
  readonly menuInstallId: string
  readonly otherMenuInstallId: string
  /** A view of the table that a plugin shows, and that plugin there. */
  readonly pluginViewId: string
  readonly viewInstallId: string
  /** Open invitations of its owner, as viewers. */
  readonly spaceInvitationId: string
  readonly baseInvitationId: string
  /** Links of its owner by which others join as viewers. */
  readonly spaceLinkId: string
  readonly baseLinkId: string
  /** A login provider of the space. */
  readonly authenticationId: string
  /** An import into the base. */
  readonly importId: string
  /** What the trash of the table has: a record. */
  readonly trashId: string
}

/** The cast of a world: an owner who makes places, and others who get roles in them. */
export interface Cast {
  readonly owner: Person
  readonly byRole: Readonly<Record<Role, Person>>
  /** Somebody whose role others may change or take away: a viewer of every place. */
  readonly member: Person
  /** Somebody with no role in any place. */
  readonly stranger: Person
  /** A published plugin that is made for views. */
  readonly viewPluginId: string
  /** Where all is kept: invitations are put there, since nobody mails them. */
  readonly store: Store
}

/** Signs the people up that places need. */
export async function newCast(world: World): Promise<Cast> {
  const owner = await world.newPerson('Owner')
  return {
    owner,
    byRole: {
      owner: await world.newPerson('CoOwner'),
      creator: await world.newPerson('Creator'),
      editor: await world.newPerson('Editor'),
      commenter: await world.newPerson('Commenter'),
      viewer: await world.newPerson('Viewer'),
    },
    member: await world.newPerson('Member'),
    stranger: await world.newPerson('Stranger'),
    viewPluginId: await publishViewPlugin(owner.api),
    store: world.engine.store,
  }
}

/** Has a plugin published that is made for views, by the administrator of the instance. */
async function publishViewPlugin({ plugins }: Person['api']): Promise<string> {
  const { id: pluginId } = await plugins.createPlugin(mapPlugin)
  await plugins.submitPlugin({ pluginId })
  await plugins.publishPlugin({ pluginId })
  return pluginId
}

/** A plugin that is made for views, as it is registered. */
export const mapPlugin = {
  name: 'Map',
  logo: 'https://plugins.example.com/map.png',
  positions: ['view'] as ['view'],
}

/** A file as a cell shows it. */
export interface ShownFile {
  readonly id: string
  readonly token: string
  readonly path: string
  readonly presignedUrl: string
}

/** What the URL of a file says beside its path. */
export function tokenOfUrl(url = ''): string {
  return url.slice(url.indexOf('?token=') + '?token='.length)
}

/** A small file to upload. */
export const textFile: FileSource = {
  name: 'note.txt',
  stream: async function* () {
    yield new TextEncoder().encode('A note')
  },
}

/** Makes a place in which everybody of the cast but the stranger has their role. */
export async function newPlace({
  owner,
  byRole,
  member,
  store,
  viewPluginId,
}: Cast): Promise<Place> {
  const { api } = owner
  const { id: spaceId } = await api.spaces.createSpace({})
  for (const [role, { userId }] of Object.entries(byRole)) {
    const collaborators = [{ principalId: userId, principalType: 'user' as const }]
    await api.collaborators.addSpaceCollaborators({ spaceId, collaborators, role: role as Role })
  }
  const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Place' })
  const { id: otherBaseId } = await api.bases.createBase({ spaceId, name: 'Other' })
  const collaborators = [{ principalId: member.userId, principalType: 'user' as const }]
  await api.collaborators.addSpaceCollaborators({ spaceId, collaborators, role: 'viewer' })
  await api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'viewer' })
  const table = await api.tables.createTable({ baseId, name: 'Things' })
  const other = await api.tables.createTable({ baseId, name: 'Others', records: [] })
  const date = await api.fields.createField({ tableId: other.id, type: 'date' })
  const link = await api.fields.createField({
    tableId: table.id,
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: other.id, isOneWay: true },
  })
  const files = await api.fields.createField({ tableId: table.id, type: 'attachment' })
  const maker = await api.fields.createField({ tableId: table.id, type: 'createdBy' })
  const button = await api.fields.createField({
    ...{ tableId: table.id, type: 'button', options: { resetCount: true } },
  })
  const recordId = table.records[0]?.id ?? ''
  const inCell = { tableId: table.id, recordId, fieldId: files.id }
  const { fields } = await api.attachments.uploadAttachment({ ...inCell, file: textFile })
  const [file] = fields[files.id] as readonly ShownFile[]
  const otherView = await api.views.createView({ tableId: table.id, type: 'grid' })
  const form = await api.views.createView({ tableId: table.id, type: 'form' })
  await api.views.enableShare({ tableId: table.id, viewId: form.id })
  const folder = await api.tree.createNode({ baseId, resourceType: 'folder', name: 'Folder' })
  const dashboard = await api.tree.createNode({ baseId, resourceType: 'dashboard', name: 'Board' })
  const flows = await makeWorkflows(api, baseId, table.id)
  const nodes = await api.tree.listNodes({ baseId })
  const ofTable = { tableId: table.id, pluginId: viewPluginId }
  const pluginView = await api.pluginViews.installAsView(ofTable)
  const doomed = table.records[2]?.id ?? ''
  await api.records.deleteRecord({ tableId: table.id, recordId: doomed })
  const trashed = { resourceId: table.id, resourceType: 'table' as const }
  const trash = await api.trash.listTrashItems(trashed)
  const commented = { tableId: table.id, recordId }
  const provider = await api.loginProviders.createLoginProvider({
    ...{ spaceId, type: 'feishu', name: 'Feishu' },
    config: { appId: 'app', appSecret: 'secret' },
  })
  const imported = await api.imports.importTable({ baseId, content: 'Name\nx\n' })
  const role = 'viewer'
  const spaceLink = await api.invitationLinks.createSpaceLink({ spaceId, role })
  const baseLink = await api.invitationLinks.createBaseLink({ baseId, role })
  return {
    spaceId,
    baseId,
    otherBaseId,
    spaceLinkId: spaceLink.invitationId,
    baseLinkId: baseLink.invitationId,
    authenticationId: provider.id,
    tableId: table.id,
    otherTableId: other.id,
    primaryFieldId: table.fields[0]?.id ?? '',
    fieldId: table.fields[1]?.id ?? '',
    linkFieldId: link.id,
    buttonFieldId: button.id,
    makerFieldId: maker.id,
    filesFieldId: files.id,
    fileToken: file?.token ?? '',
    filePath: file?.path ?? '',
    fileUrlToken: tokenOfUrl(file?.presignedUrl),
    ...(await makeUploads(api, baseId)),
    otherFieldId: other.fields[0]?.id ?? '',
    dateFieldId: date.id,
    viewId: table.views[0]?.id ?? '',
    otherViewId: otherView.id,
    sharedViewId: form.id,
    otherRecordId: table.records[1]?.id ?? '',
    recordId,
    ...(await makeComments(commented, owner, byRole)),
    tableNodeId: nodes.find(({ resourceId }) => resourceId === table.id)?.id ?? '',
    folderNodeId: folder.id,
    folderId: folder.resourceId,
    dashboardNodeId: dashboard.id,
    dashboardId: dashboard.resourceId,
    ...flows,
    ...(await installCharts(api, { baseId, tableId: table.id, dashboardId: dashboard.resourceId })),
    pluginViewId: pluginView.viewId,
    viewInstallId: pluginView.pluginInstallId,
    importId: imported.id,
    trashId: trash.trashItems[0]?.id ?? '',
    ...(await keepInvitations(store, owner, spaceId, baseId)),
  }
}

/** A comment as it is sent. */
export const remark = [{ type: 'p' as const, children: [{ type: 'span' as const, value: 'Good' }] }]

/** Has people comment on a record. */
async function makeComments(
  record: { readonly tableId: string; readonly recordId: string },
  owner: Person,
  byRole: Partial<Cast['byRole']>,
) {
  const by = async (person?: Person) =>
    (await person?.api.comments.createComment({ ...record, content: remark }))?.id ?? ''
  return {
    commentId: await by(owner),
    ownerCommentId: await by(byRole.owner),
    creatorCommentId: await by(byRole.creator),
    editorCommentId: await by(byRole.editor),
    commenterCommentId: await by(byRole.commenter),
  }
}

/** Makes a workflow that is active, and one that isn't. */
export async function makeWorkflows({ workflows }: Person['api'], baseId: string, tableId: string) {
  const trigger = { type: 'recordCreated', config: { tableId } } as const
  const { id: workflowId } = await workflows.createWorkflow({ baseId, name: 'Greet', trigger })
  await workflows.setWorkflowActive({ baseId, workflowId, method: 'activate' })
  const one = { baseId, workflowId }
  const triggerId = (await workflows.getWorkflow(one)).nodes[0]?.id ?? ''
  const told = { to: ['ada@example.com'], subject: 'Hello', body: 'A record was added' }
  const mail = { ...one, parentNodeId: triggerId, type: 'sendEmail', config: told } as const
  const { id: actionId } = await workflows.addAction(mail)
  const each = { ...one, parentNodeId: actionId, type: 'Repeat', config: { items: 'all' } } as const
  const { logic } = await workflows.addLogic(each)
  const { id: otherWorkflowId } = await workflows.createWorkflow({ baseId, name: 'Remind' })
  const hook = await workflows.createWorkflow({ baseId, trigger: { type: 'webhook' } })
  return {
    ...{ workflowId, otherWorkflowId, triggerId, actionId, logicId: logic.id },
    ...{ webhookWorkflowId: hook.id, webhookTriggerId: hook.nodes[0]?.id ?? '' },
  }
}

/**
 * Puts a chart of the table on the dashboard, one on a panel that is made for it, and two plugins into the menu of the
 * table's records.
 */
export async function installCharts(
  { contextMenus, dashboards, fields, pluginPanels }: Person['api'],
  place: { readonly baseId: string; readonly tableId: string; readonly dashboardId: string },
) {
  const { tableId, ...onDashboard } = place
  const chart = { name: 'Chart', pluginId: 'plgchart' }
  const onBoard = await dashboards.installOnDashboard({ ...onDashboard, ...chart })
  const { id: pluginPanelId } = await pluginPanels.createPanel({ tableId, name: 'Panel' })
  const onPanel = await pluginPanels.installOnPanel({ tableId, pluginPanelId, ...chart })
  const example = { tableId, pluginId: 'plgcontextexample' }
  const inMenu = await contextMenus.installInContextMenu(example)
  const alsoInMenu = await contextMenus.installInContextMenu({ ...example, name: 'Second' })
  const [primary] = await fields.listFields({ tableId })
  const select = [{ column: primary?.id, type: 'field' }]
  const storage = { query: { from: tableId, select } }
  const ofBoard = { ...onDashboard, pluginInstallId: onBoard.pluginInstallId }
  await dashboards.setDashboardStorage({ ...ofBoard, storage })
  const ofPanel = { tableId, pluginPanelId, pluginInstallId: onPanel.pluginInstallId }
  await pluginPanels.setPanelStorage({ ...ofPanel, storage })
  return {
    menuInstallId: inMenu.pluginInstallId,
    otherMenuInstallId: alsoInMenu.pluginInstallId,
    dashboardInstallId: onBoard.pluginInstallId,
    pluginPanelId,
    panelInstallId: onPanel.pluginInstallId,
  }
}

/** Has an upload awaited, and a file uploaded that no cell has. */
export async function makeUploads({ attachments }: Person['api'], baseId: string) {
  const contentType = 'text/plain'
  const asked = { baseId, type: 1, contentType, contentLength: 4 } as const
  const { token: openUploadToken } = await attachments.requestUpload(asked)
  const { token } = await attachments.requestUpload(asked)
  await attachments.uploadContent({ token, contentType, content: 'Emma' })
  return { openUploadToken, uploadedToken: token }
}

async function keepInvitations(store: Store, owner: Person, spaceId: string, baseId: string) {
  const toInvitation = (place: CollaboratorPlace): Invitation => ({
    ...place,
    id: `ivt${place.resourceId.slice(3)}`,
    tokenHash: `digest of ${place.resourceId}`,
    email: 'invited@example.com',
    role: 'viewer',
    createdBy: owner.userId,
    createdTime: '2026-01-01T00:00:00.000Z',
    expiresTime: '2999-01-01T00:00:00.000Z',
  })
  const toSpace = toInvitation({ resourceType: 'space', resourceId: spaceId })
  const toBase = toInvitation({ resourceType: 'base', resourceId: baseId })
  await store.write((tx) => tx.invitations.replaceAll([toSpace, toBase]))
  return { spaceInvitationId: toSpace.id, baseInvitationId: toBase.id }
}
