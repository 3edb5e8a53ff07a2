import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { apiBy } from '@gateleg/testing/worlds/token-bearer'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'

const minuteMs = 60_000

describeOnEveryStorage('tokens of the pages of plugins', (storage) => {
  let world: World
  let ada: Person
  let bob: Person
  let baseId: string

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
    baseId = (await ada.api.bases.createBase({ spaceId: ada.spaceId, name: 'Mine' })).id
  })
  afterEach(() => world.close())

  const authenticate = (text: string) => world.engine.authenticate(text)
  const bearer = (text: string) => apiBy(world.engine, text)

  /** A chart on a dashboard, and one more. */
  const installCharts = async () => {
    const { id: dashboardId } = await ada.api.dashboards.createDashboard({ baseId, name: 'Board' })
    const board = { baseId, dashboardId }
    const install = async () =>
      (await ada.api.dashboards.installOnDashboard({ ...board, pluginId: 'plgchart', name: 'C' }))
        .pluginInstallId
    return { board, pluginInstallId: await install(), otherInstallId: await install() }
  }
  const openPage = (pluginInstallId: string, { api }: Person = ada, pluginId = 'plgchart') =>
    api.pluginGrants.createPageToken({ pluginId, pluginInstallId })

  test('[GRANT-14] the page of a shipped plugin gets a token for an install of it, by session', async () => {
    const { pluginInstallId } = await installCharts()
    const { accessToken, scopes, expiresIn } = await openPage(pluginInstallId)
    expect(expiresIn).toBe(3_600)
    expect(scopes).toContain('base|query_data')
    expect(await ada.api.pluginGrants.listPluginGrants({})).toEqual([])
    const notFound = { code: 'not_found' }
    await expect(openPage(pluginInstallId, bob)).rejects.toMatchObject(notFound)
    await expect(openPage('pliNone')).rejects.toMatchObject(notFound)
    const { id: pluginId } = await ada.api.plugins.createPlugin({
      ...{ name: 'Slips', logo: 'https://slips.example.com/l.png', positions: ['panel'] },
    })
    for (const other of ['plgcontextexample', pluginId, 'plgNone']) {
      await expect(openPage(pluginInstallId, ada, other)).rejects.toMatchObject(notFound)
    }
    const api = await bearer(accessToken)
    const restricted = { code: 'restricted_resource' }
    await expect(openPage(pluginInstallId, { ...ada, api })).rejects.toMatchObject(restricted)
  })

  test('[GRANT-15] a page token reads its base, and changes nothing but what its install stores', async () => {
    const { board, pluginInstallId, otherInstallId } = await installCharts()
    const { accessToken, scopes } = await openPage(pluginInstallId)
    expect(await authenticate(accessToken)).toEqual({
      ...{ kind: 'token', userId: ada.userId, tokenId: expect.stringMatching(/^page-pli/) },
      ...{ installId: pluginInstallId, scopes: new Set(scopes) },
      reach: { spaceIds: new Set(), baseIds: new Set([baseId]) },
    })
    const api = await bearer(accessToken)
    await api.tables.listTables({ baseId })
    const one = { ...board, pluginInstallId }
    const storage = { form: 'bar' }
    await api.dashboards.setDashboardStorage({ ...one, storage })
    expect(await api.dashboards.getDashboardInstall(one)).toMatchObject({ storage })
    const restricted = { code: 'restricted_resource' }
    for (const refused of [
      () =>
        api.dashboards.setDashboardStorage({ ...board, pluginInstallId: otherInstallId, storage }),
      () => api.dashboards.renameDashboardInstall({ ...one, name: 'Other' }),
      () => api.dashboards.deleteDashboard(board),
      () => api.bases.updateBase({ baseId, name: 'Other' }),
      () => api.tables.createTable({ baseId }),
    ]) {
      await expect(refused()).rejects.toMatchObject(restricted)
    }
    const notFound = { code: 'not_found' }
    await expect(api.spaces.getSpace({ spaceId: ada.spaceId })).rejects.toMatchObject(notFound)
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'editor' })
    const ofBob = await bearer((await openPage(pluginInstallId, bob)).accessToken)
    await ofBob.dashboards.getDashboardInstall(one)
    const byBob = ofBob.dashboards.setDashboardStorage({ ...one, storage: {} })
    await expect(byBob).rejects.toMatchObject(restricted)
  })

  test('[GRANT-16] a page token ends with its session, its install and its hour', async () => {
    const { board, pluginInstallId } = await installCharts()
    const signIn = async () => {
      const { email } = ada
      const signedIn = await world.engine.public.accounts.signIn({ email, password: testPassword })
      return signedIn.accessToken
    }
    const session = await signIn()
    const ofSession = async (text: string) =>
      (await openPage(pluginInstallId, { ...ada, api: await bearer(text) })).accessToken
    const text = await ofSession(session)
    const kept = await ofSession(await signIn())
    expect(await authenticate(text)).toBeDefined()
    const forged = text.replace(ada.userId, bob.userId)
    expect(forged).not.toBe(text)
    expect(await authenticate(forged)).toBeUndefined()
    expect(await authenticate(`page.${pluginInstallId}`)).toBeUndefined()
    const begun = await bearer(text)
    await (await bearer(session)).accounts.signOut({})
    expect(await authenticate(text)).toBeUndefined()
    world.clock.advance(1_000)
    const ended = begun.tables.listTables({ baseId })
    await expect(ended).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await authenticate(kept)).toBeDefined()
    world.clock.advance(60 * minuteMs)
    expect(await authenticate(kept)).toBeUndefined()
    const another = await ofSession(await signIn())
    expect(await authenticate(another)).toBeDefined()
    await ada.api.dashboards.uninstallFromDashboard({ ...board, pluginInstallId })
    expect(await authenticate(another)).toBeUndefined()
  })

  test('[GRANT-16] a page token is good for nothing while the dashboard or the table of its install lies in the trash', async () => {
    const { board, pluginInstallId } = await installCharts()
    const { id: tableId } = await ada.api.tables.createTable({ baseId })
    const { id: pluginPanelId } = await ada.api.pluginPanels.createPanel({ tableId, name: 'P' })
    const panel = { tableId, pluginPanelId, pluginId: 'plgchart' }
    const onPanel = await ada.api.pluginPanels.installOnPanel(panel)
    const trash = { resourceId: baseId, resourceType: 'base' as const }
    for (const [installId, remove] of [
      [pluginInstallId, () => ada.api.dashboards.deleteDashboard(board)],
      [onPanel.pluginInstallId, () => ada.api.tables.deleteTable({ baseId, tableId })],
    ] as const) {
      const { accessToken } = await openPage(installId)
      await remove()
      expect(await authenticate(accessToken)).toBeUndefined()
      await expect(openPage(installId)).rejects.toMatchObject({ code: 'not_found' })
      const [item] = (await ada.api.trash.listTrashItems(trash)).trashItems
      await ada.api.trash.restoreTrash({ trashId: item?.id ?? '' })
      expect(await authenticate(accessToken)).toBeDefined()
    }
  })
})
