import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('sharing a view', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let table: TestTable
  let viewId: string

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    table = await world.makeNames('Books', 'Emma')
    viewId = await newView('grid')
  })

  const newView = async (type: 'grid' | 'form') =>
    (await api.views.createView({ tableId: table.id, type })).id
  const of = (more: object = {}) => ({ tableId: table.id, viewId, ...more })
  const open = (shareId: string) => world.engine.public.shares.getSharedView({ shareId })
  const gone = { code: 'not_found' }

  test('[SHARE-1] shares it by one link, until that is ended or replaced', async () => {
    const { shareId } = await api.views.enableShare(of())
    expect(shareId).toMatch(/^shr[0-9A-Za-z]{16}$/)
    expect(await api.views.enableShare(of())).toEqual({ shareId })
    expect(await open(shareId)).toMatchObject({ shareId, tableId: table.id, viewId })
    const { shareId: next } = await api.views.refreshShareId(of())
    expect(next).not.toBe(shareId)
    await expect(open(shareId)).rejects.toMatchObject(gone)
    await api.views.disableShare(of())
    await expect(open(next)).rejects.toMatchObject(gone)
    await api.views.disableShare(of())
    await expect(api.views.refreshShareId(of())).rejects.toMatchObject(invalidAt('viewId'))
    const again = await api.views.enableShare(of())
    expect([shareId, next]).not.toContain(again.shareId)
    for (const ended of [shareId, next]) await expect(open(ended)).rejects.toMatchObject(gone)
  })

  test('[SHARE-2] refuses who may not share it, and while it is locked', async () => {
    const viewer = await world.newCollaborator(`Viewer${storage.name}`, 'viewer')
    const editor = await world.newCollaborator(`Editor${storage.name}`, 'editor')
    const restricted = { code: 'restricted_resource' }
    await expect(viewer.api.views.enableShare(of())).rejects.toMatchObject(restricted)
    await expect(viewer.api.views.setShareMeta(of({ password: 'secret' }))).rejects.toMatchObject(
      restricted,
    )
    await editor.api.views.enableShare(of())
    await api.views.lockView(of({ isLocked: true }))
    for (const change of [
      () => api.views.enableShare(of()),
      () => api.views.disableShare(of()),
      () => api.views.refreshShareId(of()),
      () => api.views.setShareMeta(of({ allowCopy: true })),
    ]) {
      await world.expectNoTrace(change, restricted)
    }
  })

  test('[SHARE-3] has what nobody decided as the kind of view has it, and keeps what is left out', async () => {
    const { shareId } = await api.views.enableShare(of())
    const metaOf = async (id: string) => (await open(id)).shareMeta
    const first = { allowCopy: false, includeHiddenField: false, includeRecords: true }
    const nothing = { allow: false, requireLogin: false }
    expect(await metaOf(shareId)).toEqual({ ...first, submit: nothing })
    await api.views.setShareMeta(of({ allowCopy: true }))
    await api.views.setShareMeta(of({ includeRecords: false }))
    const decided = { ...first, allowCopy: true, includeRecords: false }
    expect(await metaOf(shareId)).toEqual({ ...decided, submit: nothing })
    await expect(api.views.setShareMeta(of({ submit: { allow: true } }))).rejects.toMatchObject(
      invalidAt('submit', 'allow'),
    )
    viewId = await newView('form')
    const { shareId: form } = await api.views.enableShare(of())
    const submit = { allow: true, requireLogin: false }
    expect(await metaOf(form)).toEqual({ ...first, includeRecords: false, submit })
    await api.views.setShareMeta(of({ submit: { requireLogin: true } }))
    await api.views.setShareMeta(of({ submit: { allow: false } }))
    expect((await metaOf(form)).submit).toEqual({ allow: false, requireLogin: true })
  })

  test('[SHARE-3] refuses a password that is too short', async () => {
    await expect(api.views.setShareMeta(of({ password: 'ab' }))).rejects.toMatchObject(
      invalidAt('password'),
    )
  })

  test('[SHARE-4] tells how it is shared, and nobody the password', async () => {
    expect(await api.views.getView(of())).not.toHaveProperty('enableShare')
    await api.views.setShareMeta(of({ password: 'open sesame' }))
    const { shareId } = await api.views.enableShare(of())
    const seen = await api.views.getView(of())
    expect(seen).toMatchObject({ enableShare: true, shareId, shareMeta: { password: '********' } })
    const listed = await api.views.listViews({ tableId: table.id })
    expect(listed.find(({ id }) => id === viewId)).toMatchObject({ enableShare: true, shareId })
    expect(JSON.stringify([seen, listed])).not.toContain('sesame')
    const copy = await api.views.duplicateView(of())
    expect(await api.views.getView(of({ viewId: copy.id }))).not.toHaveProperty('enableShare')
    await api.views.disableShare(of())
    const ended = await api.views.getView(of())
    expect(ended).toMatchObject({ enableShare: false, shareMeta: { allowCopy: false } })
    expect(ended).not.toHaveProperty('shareId')
  })

  test('[SHARE-4] a mask that is sent back leaves the password, null takes it away', async () => {
    const { shareId } = await api.views.enableShare(of())
    await api.views.setShareMeta(of({ password: 'open sesame' }))
    await api.views.setShareMeta(of({ password: '********', allowCopy: true }))
    const prove = () =>
      world.engine.public.shares.proveSharePassword({ shareId, password: 'open sesame' })
    expect(await prove()).toEqual({ token: expect.any(String) })
    await api.views.setShareMeta(of({ password: null }))
    await expect(prove()).rejects.toMatchObject(invalidAt('password'))
    expect((await open(shareId)).shareMeta.allowCopy).toBe(true)
    expect((await api.views.getView(of())).shareMeta).not.toHaveProperty('password')
  })

  test('[SHARE-40] refuses a mask where there is no password that it could stand for', async () => {
    await api.views.enableShare(of())
    const sendMask = () => api.views.setShareMeta(of({ password: '********', allowCopy: true }))
    await world.expectNoTrace(sendMask, invalidAt('password'))
    await api.views.setShareMeta(of({ password: 'open sesame' }))
    await api.views.setShareMeta(of({ password: null }))
    await world.expectNoTrace(sendMask, invalidAt('password'))
  })

  test('[SHARE-4] tells the link to tokens alone that may share', async () => {
    const { shareId } = await api.views.enableShare(of())
    const as = (...scopes: readonly ('view|read' | 'record|read' | 'view|share')[]) =>
      world.engine.as({
        ...{ kind: 'token', userId: world.ada.userId, tokenId: 'acc' },
        scopes: new Set(scopes),
      })
    const reader = as('view|read', 'record|read')
    expect(await reader.views.getView(of())).not.toHaveProperty('shareId')
    const listed = await reader.views.listViews({ tableId: table.id })
    expect(JSON.stringify(listed)).not.toContain(shareId)
    expect(await as('view|read', 'view|share').views.getView(of())).toMatchObject({ shareId })
  })

  test('[SHARE-4] tells the link to roles alone that may share', async () => {
    const { shareId } = await api.views.enableShare(of())
    const { baseId } = world
    for (const role of ['viewer', 'commenter', 'editor', 'creator'] as const) {
      const { api: theirs } = await world.newCollaborator(`Told${role}${storage.name}`, role)
      const seen = await theirs.views.getView(of())
      const listed = await theirs.views.listViews({ tableId: table.id })
      expect(seen).toMatchObject({ enableShare: true, shareMeta: { allowCopy: false } })
      const { tables, bases, tree } = theirs
      const others = [
        await tables.getTable({ baseId, tableId: table.id }),
        await tables.listTables({ baseId }),
        await bases.listAllBases({}),
        await tree.listNodes({ baseId }),
      ]
      expect(JSON.stringify(others)).not.toContain(shareId)
      const mayShare = role !== 'viewer' && role !== 'commenter'
      for (const shown of [seen, listed]) {
        expect([role, JSON.stringify(shown).includes(shareId)]).toEqual([role, mayShare])
      }
    }
  })

  test('[SHARE-5] counts as a change of the view, and is told as one', async () => {
    const { version } = await api.views.getView(of())
    const { userId } = world.ada
    const event = { name: 'view.updated', userId, tableId: table.id, viewId }
    expect(await world.heard(() => api.views.enableShare(of()))).toEqual([event])
    expect(await world.heard(() => api.views.setShareMeta(of({ allowCopy: true })))).toEqual([
      event,
    ])
    expect(await world.heard(() => api.views.enableShare(of()))).toEqual([])
    const { version: after, lastModifiedBy } = await api.views.getView(of())
    expect([after, lastModifiedBy]).toEqual([version + 2, userId])
  })
})
