import {
  installCharts,
  makeUploads,
  makeWorkflows,
  mapPlugin,
  type ShownFile,
  textFile,
  tokenOfUrl,
} from '../worlds/place.ts'
import type { Person } from '../worlds/world.ts'

/** Somebody to give roles to, and somebody who has none. */
interface ExampleOthers {
  readonly member: Person
  readonly stranger: Person
}

/** What making the example takes beside the operations of its owner. */
interface ExampleSteps {
  openSession(email: string): Promise<unknown>
  /** Moves the clock on: lists have an order that tells, then. */
  passTime(): void
}

/**
 * Makes what the documentation's examples are about: a space with a library in it. Answers the ids by the
 * names that the examples give them: `spaceId`, `tableId`, …
 */
export async function makeExampleSpace(
  { api, email }: Person,
  { member, stranger }: ExampleOthers,
  { openSession, passTime }: ExampleSteps,
): Promise<Readonly<Record<string, string>>> {
  passTime()
  const { id: spaceId } = await api.spaces.createSpace({ name: 'City library' })
  passTime()
  const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Library', icon: '📚' })
  passTime()
  const { id: otherBaseId } = await api.bases.createBase({ spaceId, name: 'Members' })
  passTime()
  const collaborators = [{ principalId: member.userId, principalType: 'user' as const }]
  await api.collaborators.addSpaceCollaborators({ spaceId, collaborators, role: 'viewer' })
  passTime()
  await api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'viewer' })
  passTime()
  const invitations = await inviteFriend(api, `friend-of-${email}`, { spaceId, baseId })
  passTime()
  const { id: emptySpaceId } = await api.spaces.createSpace({ name: 'Branch library' })
  passTime()
  const ofBooks = await makeTables(api, baseId)
  const inBase = { baseId, name: 'Plans' }
  const folder = await api.tree.createNode({ ...inBase, resourceType: 'folder' })
  const dashboard = await api.dashboards.createDashboard({ baseId, name: 'Loans' })
  const { tableId } = ofBooks
  const flows = await makeWorkflows(api, baseId, tableId)
  const charts = await arrangeCharts(api, { baseId, tableId, dashboardId: dashboard.id })
  const mapped = await installMap(api, tableId)
  const nodes = await api.tree.listNodes({ baseId })
  passTime()
  const content = 'Name,Since\nAda,2024\nGrace,last year\n'
  const imported = await api.imports.importTable({ baseId: otherBaseId, name: 'People', content })
  const provider = await api.loginProviders.createLoginProvider({
    spaceId,
    type: 'oidc',
    name: 'City account',
    config: {
      clientId: 'library',
      clientSecret: 'a secret of the client',
      authorizationUrl: 'https://login.example.com/authorize',
      tokenUrl: 'https://login.example.com/token',
      userInfoUrl: 'https://login.example.com/userinfo',
      issuer: 'https://login.example.com',
    },
  })
  passTime()
  const { id: commentId } = await api.comments.createComment({
    tableId,
    recordId: ofBooks.recordId,
    content: [{ type: 'p', children: [{ type: 'span', value: 'Which edition is it?' }] }],
  })
  await api.pins.addPin({ type: 'base', id: baseId })
  await api.pins.addPin({ type: 'view', id: ofBooks.viewId })
  await api.lastVisits.noteLastVisit({
    ...{ resourceType: 'table', resourceId: tableId },
    ...{ parentResourceId: baseId, childResourceId: ofBooks.viewId },
  })
  const plugins = await registerPlugins(api, baseId, passTime)
  const apps = await registerApp(api, passTime)
  const token = await api.accessTokens.createToken({
    name: 'Import',
    scopes: ['record|create'],
    baseIds: [baseId],
    expiredTime: '2999-12-31',
  })
  passTime()
  await openSession(email)
  const sessions = await api.accounts.listSessions({})
  return {
    spaceId,
    baseId,
    otherBaseId,
    emptySpaceId,
    ...ofBooks,
    ...invitations,
    ...flows,
    tableNodeId: nodes.find(({ resourceId }) => resourceId === ofBooks.tableId)?.id ?? '',
    folderNodeId: folder.id,
    folderId: folder.resourceId,
    dashboardId: dashboard.id,
    ...charts,
    ...mapped,
    importId: imported.id,
    authenticationId: provider.id,
    commentId,
    ...plugins,
    ...apps,
    memberId: member.userId,
    strangerId: stranger.userId,
    strangerEmail: stranger.email,
    accessTokenId: token.id,
    sessionId: sessions.at(-1)?.id ?? '',
  }
}

/** Invites somebody who has no account, where the mails go nowhere, and whoever has the links. */
async function inviteFriend(
  { collaborators, invitationLinks }: Person['api'],
  email: string,
  { spaceId, baseId }: { readonly spaceId: string; readonly baseId: string },
) {
  const emails = [email]
  const toSpace = await collaborators.inviteToSpace({ spaceId, emails, role: 'viewer' })
  const toBase = await collaborators.inviteToBase({ baseId, emails, role: 'editor' })
  const idOf = (invited: typeof toSpace) => {
    const one = invited[email]
    return one && 'invitationId' in one ? one.invitationId : ''
  }
  const spaceLink = await invitationLinks.createSpaceLink({ spaceId, role: 'viewer' })
  const baseLink = await invitationLinks.createBaseLink({ baseId, role: 'editor' })
  return {
    spaceInvitationId: idOf(toSpace),
    baseInvitationId: idOf(toBase),
    spaceLinkId: spaceLink.invitationId,
    baseLinkId: baseLink.invitationId,
  }
}

/** Puts a chart on a dashboard and on a panel, and gives each a place. */
async function arrangeCharts(
  api: Person['api'],
  place: { readonly baseId: string; readonly tableId: string; readonly dashboardId: string },
) {
  const charts = await installCharts(api, place)
  const { tableId, ...board } = place
  const { dashboardInstallId, pluginPanelId, panelInstallId } = charts
  const at = (pluginInstallId: string) => [{ pluginInstallId, x: 0, y: 0, w: 4, h: 3 }]
  await api.dashboards.setDashboardLayout({ ...board, layout: at(dashboardInstallId) })
  const panel = { tableId, pluginPanelId, layout: at(panelInstallId) }
  await api.pluginPanels.setPanelLayout(panel)
  return charts
}

/** Registers a plugin that is made for views, and installs it as one. */
async function installMap({ plugins, pluginViews }: Person['api'], tableId: string) {
  const { id: viewPluginId } = await plugins.createPlugin(mapPlugin)
  const view = await pluginViews.installAsView({ tableId, pluginId: viewPluginId })
  return { viewPluginId, pluginViewId: view.viewId, viewInstallId: view.pluginInstallId }
}

/** Registers two plugins, of which the second one is handed in. The first one may act in the base, and has begun to. */
async function registerPlugins(
  { plugins, pluginGrants }: Person['api'],
  baseId: string,
  passTime: () => void,
) {
  const register = async (name: string) => {
    passTime()
    const logo = 'https://plugins.example.com/logo.png'
    return plugins.createPlugin({ name, logo, positions: ['contextMenu'] })
  }
  const { id: pluginId, secret: pluginSecret } = await register('Labels')
  const { id: submittedPluginId } = await register('Reminders')
  await plugins.submitPlugin({ pluginId: submittedPluginId })
  const inBase = { pluginId, baseId }
  const { code: pluginCode } = await pluginGrants.createPluginCode(inBase)
  passTime()
  const { code: authCode } = await pluginGrants.createPluginCode(inBase)
  const { refreshToken: pluginRefreshToken } = await pluginGrants.createPluginToken({
    ...inBase,
    ...{ secret: pluginSecret, scopes: ['record|read'], authCode },
  })
  const [{ id: pluginGrantId } = { id: '' }] = await pluginGrants.listPluginGrants({})
  const tokens = { pluginCode, pluginRefreshToken, pluginGrantId }
  return { pluginId, submittedPluginId, pluginSecret, ...tokens }
}

/** Registers an OAuth app that asks a question, and has been let act before. */
async function registerApp({ oauthClients, oauthGrants }: Person['api'], passTime: () => void) {
  const place = 'https://room.example.com/callback'
  const { clientId } = await oauthClients.createClient({
    ...{ name: 'Reading room', homepage: 'https://room.example.com', redirectUris: [place] },
    scopes: ['base|read', 'table|read', 'record|read'],
  })
  const { id: oauthSecretId, secret } = await oauthClients.createSecret({ clientId })
  passTime()
  const asked = { response_type: 'code', client_id: clientId, redirect_uri: place }
  const { url } = await oauthGrants.startAuthorization(asked)
  const transactionId = decodeURIComponent(url.replace('decision/', ''))
  const answered = await oauthGrants.decideAuthorization({ transactionId, allow: true })
  return {
    oauthClientId: clientId,
    oauthSecretId,
    oauthClientSecret: secret,
    oauthTransactionId: transactionId,
    oauthCode: new URL(answered.url).searchParams.get('code') ?? '',
  }
}

async function makeTables(api: Person['api'], baseId: string) {
  const authors = await api.tables.createTable({
    baseId,
    name: 'Authors',
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'date', name: 'Born' },
    ],
    records: [{ fields: { Name: 'Jane Austen', Born: '1775-12-16' } }],
  })
  const books = await api.tables.createTable({
    baseId,
    name: 'Books',
    icon: '📖',
    fields: [
      { type: 'singleLineText', name: 'Title' },
      { type: 'number', name: 'Pages' },
      {
        type: 'link',
        name: 'Author',
        options: { relationship: 'manyOne', foreignTableId: authors.id },
      },
      { type: 'attachment', name: 'Files' },
    ],
    records: [
      { fields: { Title: 'Emma', Pages: 474, Author: { id: authors.records[0]?.id } } },
      { fields: { Title: 'Sanditon', Pages: 120 } },
      { fields: { Title: 'Lady Susan', Pages: 90 } },
      { fields: { Title: 'The Watsons' } },
    ],
  })
  const inCell = { tableId: books.id, recordId: books.records[0]?.id ?? '' }
  const filesFieldId = books.fields[3]?.id ?? ''
  const { fields } = await api.attachments.uploadAttachment({
    ...inCell,
    fieldId: filesFieldId,
    file: textFile,
  })
  const [file] = fields[filesFieldId] as readonly ShownFile[]
  const gallery = await api.views.createView({
    tableId: books.id,
    type: 'gallery',
    name: 'Covers',
  })
  const { id: userFieldId } = await api.fields.createField({
    tableId: books.id,
    type: 'user',
    name: 'Reader',
  })
  const shared = await shareViews(api, books.id)
  const dateFieldId = authors.fields[1]?.id ?? ''
  const calendar = await shareView(api.views, {
    ...{ tableId: authors.id, type: 'calendar', name: 'Births' },
    options: { startDateFieldId: dateFieldId, endDateFieldId: dateFieldId },
  })
  const doomed = books.records[3]?.id ?? ''
  await api.records.deleteRecord({ tableId: books.id, recordId: doomed })
  const ofBooks = { resourceId: books.id, resourceType: 'table' as const }
  const { trashItems } = await api.trash.listTrashItems(ofBooks)
  return {
    tableId: books.id,
    otherTableId: authors.id,
    dateFieldId,
    fieldId: books.fields[1]?.id ?? '',
    filesFieldId,
    fileId: file?.id ?? '',
    fileToken: file?.token ?? '',
    filePath: file?.path ?? '',
    fileUrlToken: tokenOfUrl(file?.presignedUrl),
    ...(await makeUploads(api, baseId)),
    viewId: books.views[0]?.id ?? '',
    otherViewId: gallery.id,
    recordId: books.records[0]?.id ?? '',
    otherRecordId: books.records[1]?.id ?? '',
    titleFieldId: books.fields[0]?.id ?? '',
    linkFieldId: books.fields[2]?.id ?? '',
    userFieldId,
    trashId: trashItems[0]?.id ?? '',
    ...shared,
    calendarShareId: calendar.shareId,
  }
}

/** Makes a view and shares it. */
async function shareView(
  views: Person['api']['views'],
  view: Parameters<Person['api']['views']['createView']>[0],
) {
  const { tableId } = view
  const { id: viewId } = await views.createView(view)
  const { shareId } = await views.enableShare({ tableId, viewId })
  return { viewId, shareId }
}

/** Shares a grid, another one under a password, and a form. */
async function shareViews({ views }: Person['api'], tableId: string) {
  const share = (type: 'grid' | 'form', name: string) => shareView(views, { tableId, type, name })
  const open = await share('grid', 'For everybody')
  await views.setShareMeta({ tableId, viewId: open.viewId, allowCopy: true })
  const locked = await share('grid', 'For members')
  await views.setShareMeta({ tableId, viewId: locked.viewId, password: 'open sesame' })
  const form = await share('form', 'Wishes')
  return {
    sharedViewId: open.viewId,
    shareId: open.shareId,
    lockedShareId: locked.shareId,
    formViewId: form.viewId,
    formShareId: form.shareId,
  }
}
