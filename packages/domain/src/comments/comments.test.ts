import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { DomainEvent } from '../events/event.ts'
import { limits } from '../limits.ts'

const absent = { code: 'not_found' }
const refused = { code: 'restricted_resource' }
const invalid = { code: 'validation_error' }

/** Content with one paragraph of these parts; a text alone is a text. */
const say = (...parts: readonly (string | object)[]) =>
  [
    {
      type: 'p',
      children: parts.map((part) =>
        typeof part === 'string' ? { type: 'span', value: part } : part,
      ),
    },
  ] as never

describeOnEveryStorage('comments', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let ada: TableWorld['api']['comments']
  let commenter: Person
  let viewer: Person
  let table: TestTable
  let place: { tableId: string; recordId: string }

  beforeAll(async () => {
    ada = world.api.comments
    commenter = await world.newCollaborator('Commenter', 'commenter')
    viewer = await world.newCollaborator('Viewer', 'viewer')
  })
  beforeEach(async () => {
    table = await world.makeNames('Names', 'a', 'b')
    place = { tableId: table.id, recordId: table.recordIds[0] ?? '' }
  })

  const add = async (text: string, by = ada) =>
    (await by.createComment({ ...place, content: say(text) })).id
  const texts = async (part: object = {}) =>
    (await ada.listComments({ ...place, ...part })).comments.map(textOf)
  const textOf = ({ content }: { readonly content: readonly object[] }) => {
    const [block] = content as unknown as [{ children: [{ value: string }] }]
    return block.children[0].value
  }

  test('[COMMENT-1] [COMMENT-4] are made by who may comment, and read by who may read the record', async () => {
    const stranger = await world.newPerson('Stranger')
    const content = say('Hello ', { type: 'mention', value: viewer.userId })
    const send = (by: Person, more = {}) =>
      by.api.comments.createComment({ ...place, content, ...more })
    await expect(send(stranger)).rejects.toMatchObject(absent)
    await expect(send(viewer)).rejects.toMatchObject(refused)
    await expect(send(commenter, { recordId: 'recNone' })).rejects.toMatchObject(absent)
    const made = await send(commenter)
    const { id, version, userMap, ...rest } = made
    expect(id).toMatch(/^com[0-9a-zA-Z]{16}$/)
    expect([version, rest]).toEqual([
      1,
      { content, createdBy: commenter.userId, createdTime: expect.any(String) },
    ])
    expect(userMap).toEqual({
      [commenter.userId]: expect.objectContaining({ email: commenter.email }),
      [viewer.userId]: expect.objectContaining({ id: viewer.userId, name: expect.any(String) }),
    })
    const of = { ...place, commentId: id }
    expect(await viewer.api.comments.getComment(of)).toEqual(made)
    const { comments } = await viewer.api.comments.listComments(place)
    expect(comments).toEqual([{ id, ...rest }])
    const elsewhere = { ...of, recordId: table.recordIds[1] ?? '' }
    await expect(ada.getComment(elsewhere)).rejects.toMatchObject(absent)
    await expect(stranger.api.comments.getComment(of)).rejects.toMatchObject(absent)
    const scopes = new Set(['record|read'] as const)
    const token = { kind: 'token', userId: viewer.userId, tokenId: 'accTest', scopes } as const
    const shown = await world.engine.as(token).comments.listComments(place)
    expect(shown.userMap[commenter.userId]).not.toHaveProperty('email')
  })

  test('[ACCESS-10] [COMMENT-60] tell a token that may not read what it has sent alone', async () => {
    const scopes = new Set(['record|comment'] as const)
    const token = { kind: 'token', userId: commenter.userId, tokenId: 'accTest', scopes } as const
    const { comments } = world.engine.as(token)
    const mention = { type: 'mention', value: viewer.userId }
    const made = await comments.createComment({ ...place, content: say('See', mention) })
    expect(made).toMatchObject({ content: say('See', mention), userMap: {} })
    const of = { ...place, commentId: made.id }
    await ada.reactToComment({ ...of, reaction: '👍' })
    const changed = await comments.updateComment({ ...of, content: say('Look', mention) })
    expect(changed).toMatchObject({ content: say('Look', mention), userMap: {} })
    expect(changed).not.toHaveProperty('reaction')
    expect(await ada.getComment(of)).toMatchObject({ reaction: [{ reaction: '👍' }] })
  })

  test('[COMMENT-90] are changed though they mention somebody who has left', async () => {
    const person = await world.newCollaborator(`Leaves${storage.name}`, 'viewer')
    const other = await world.newPerson(`Other${storage.name}`)
    const mention = { type: 'mention', value: person.userId }
    const recordId = table.recordIds[0] ?? ''
    const place = { tableId: table.id, recordId }
    const { id: commentId } = await ada.createComment({ ...place, content: say('Ask', mention) })
    await world.api.collaborators.removeBaseCollaborator({
      ...{ baseId: world.baseId, principalId: person.userId, principalType: 'user' },
    })
    const update = (...parts: readonly (string | object)[]) =>
      ada.updateComment({ ...place, commentId, content: say(...parts) })
    const changed = await update('Ask please', mention)
    expect(changed.content).toEqual(say('Ask please', mention))
    const stranger = { type: 'mention', value: other.userId }
    await world.expectNoTrace(() => update(mention, stranger), invalid)
    await update('Nobody')
    await world.expectNoTrace(() => update(mention), invalid)
    await world.expectNoTrace(() => ada.createComment({ ...place, content: say(mention) }), invalid)
  })

  test('[COMMENT-2] say something, and link and mention what may be', async () => {
    const send = (content: unknown) => ada.createComment({ ...place, content: content as never })
    const stranger = await world.newPerson('Nobody')
    for (const content of [
      [],
      'text',
      say(),
      say(' \n'),
      say({ type: 'span' }),
      say({ type: 'b', value: 'x' }),
      say('\0'),
      ...['javascript:alert(1)', 'data:text/html,x', '/x', 'https://', 'https://a b'].map((url) =>
        say('x', { type: 'a', url }),
      ),
      [{ type: 'img', path: 'x' }],
    ]) {
      await expect(send(content), JSON.stringify(content)).rejects.toMatchObject(invalid)
    }
    const naming = say('x', { type: 'mention', value: stranger.userId })
    await expect(send(naming)).rejects.toMatchObject(
      invalidAt('content', 0, 'children', 1, 'value'),
    )
    for (const url of ['https://a.example/x?y#z', 'HTTP://a.example', 'mailto:a@example.com']) {
      await send(say({ type: 'a', url, title: 'there' }))
    }
    expect(await texts()).toHaveLength(3)
  })

  test('[COMMENT-3] are listed in both directions, page by page', async () => {
    const ids: string[] = []
    for (const text of ['1', '2', '3', '4', '5']) ids.push(await add(text))
    const [, second = '', third = ''] = ids
    expect(await texts()).toEqual(['1', '2', '3', '4', '5'])
    expect(await texts({ direction: 'backward', take: 2 })).toEqual(['5', '4'])
    expect(await texts({ cursor: third })).toEqual(['3', '4', '5'])
    expect(await texts({ cursor: third, includeCursor: false })).toEqual(['4', '5'])
    const before = { cursor: third, direction: 'backward', includeCursor: false }
    expect(await texts(before)).toEqual(['2', '1'])
    const first = await ada.listComments({ ...place, take: 1 })
    // What the cursor leads to is deleted: the page begins with what follows.
    await ada.deleteComment({ ...place, commentId: second })
    const cursor = first.nextCursor ?? ''
    const next = await ada.listComments({ ...place, cursor, take: 2 })
    expect(next.comments.map(textOf)).toEqual(['3', '4'])
    await add('6')
    const last = await ada.listComments({ ...place, cursor: next.nextCursor ?? '', take: 2 })
    expect([last.comments.map(textOf), last.nextCursor]).toEqual([['5', '6'], undefined])
    for (const wrong of [second, 'comNone', 'x', '0', '-1', '1.5', 'com\0', '\ud800']) {
      await expect(texts({ cursor: wrong })).rejects.toMatchObject(invalidAt('cursor'))
    }
  })

  test('[COMMENT-3] are listed with at most 1,000 on a page', async () => {
    expect(limits.commentsPerPage).toBe(1_000)
    for (const text of ['1', '2', '3']) await add(text)
    expect(await texts({ take: 1_000 })).toEqual(['1', '2', '3'])
    for (const take of [1_001, 0]) {
      await expect(texts({ take })).rejects.toMatchObject(invalidAt('take'))
    }
  })

  test('[COMMENT-5] are changed by who wrote them alone', async () => {
    const commentId = await add('First', commenter.api.comments)
    const of = { ...place, commentId }
    const change = (by: Person['api'], options = {}) =>
      by.comments.updateComment({ ...of, content: say('Second') }, options)
    for (const by of [world.api, viewer.api]) {
      await expect(change(by)).rejects.toMatchObject(refused)
    }
    world.clock.advance(1_000)
    const stale = { code: 'precondition_failed' }
    await expect(change(commenter.api, { ifMatch: [2] })).rejects.toMatchObject(stale)
    const changed = await change(commenter.api, { ifMatch: [1] })
    expect(changed).toMatchObject({ version: 2, content: say('Second') })
    const passed = Date.parse(changed.lastModifiedTime ?? '') - Date.parse(changed.createdTime)
    expect(passed).toBe(1_000)
    expect(await texts()).toEqual(['Second'])
    const empty = commenter.api.comments.updateComment({ ...of, content: say(' ') })
    await expect(empty).rejects.toMatchObject(invalid)
  })

  test('[COMMENT-6] [COMMENT-8] are deleted by who wrote them or may change the table, answers stay', async () => {
    const editor = await world.newCollaborator(`Editor${table.id}`, 'editor')
    const quoteId = await add('Question', commenter.api.comments)
    const { api } = commenter
    const answer = await api.comments.createComment({ ...place, quoteId, content: say('Answer') })
    const remove = (by: Person['api'], commentId: string) =>
      by.comments.deleteComment({ ...place, commentId })
    for (const by of [editor, viewer]) {
      await expect(remove(by.api, quoteId)).rejects.toMatchObject(refused)
    }
    await remove(world.api, quoteId)
    await expect(remove(world.api, quoteId)).rejects.toMatchObject(absent)
    const { comments } = await ada.listComments(place)
    expect(comments.map((one) => [one.id, one.quoteId])).toEqual([[answer.id, quoteId]])
    await remove(api, answer.id)
    const elsewhere = { ...place, recordId: table.recordIds[1] ?? '' }
    const other = await ada.createComment({ ...elsewhere, content: say('There') })
    for (const wrong of [answer.id, other.id, 'comNone']) {
      const answering = ada.createComment({ ...place, quoteId: wrong, content: say('x') })
      await expect(answering).rejects.toMatchObject(invalidAt('quoteId'))
    }
  })

  test('[COMMENT-7] have reactions, each of a person once', async () => {
    const commentId = await add('Done')
    const of = { ...place, commentId }
    const react = (by: Person['api'], reaction: string) =>
      by.comments.reactToComment({ ...of, reaction })
    const takeBack = (by: Person['api'], reaction: string) =>
      by.comments.takeReactionBack({ ...of, reaction })
    for (const wrong of ['', 'x', '👍👍', '👍 ', ':+1:', '1']) {
      await expect(react(world.api, wrong), wrong).rejects.toMatchObject(invalid)
    }
    await expect(react(viewer.api, '👍')).rejects.toMatchObject(refused)
    for (const [by, emoji] of [
      [world.api, '👍'],
      [commenter.api, '👩🏽‍🚀'],
      [commenter.api, '👍'],
      [commenter.api, '👍'],
    ] as const) {
      await react(by, emoji)
    }
    const { userId: adaId } = world.ada
    expect((await ada.getComment(of)).reaction).toEqual([
      { reaction: '👍', user: [adaId, commenter.userId] },
      { reaction: '👩🏽‍🚀', user: [commenter.userId] },
    ])
    await takeBack(commenter.api, '👍')
    await takeBack(commenter.api, '🎉')
    await takeBack(world.api, '👍')
    const { reaction, version, lastModifiedTime } = await ada.getComment(of)
    expect(reaction).toEqual([{ reaction: '👩🏽‍🚀', user: [commenter.userId] }])
    expect([version, lastModifiedTime]).toEqual([6, undefined])
  })

  test('[COMMENT-7] have no reaction of more than 40 characters', async () => {
    expect(limits.reactionLength).toBe(40)
    const of = { ...place, commentId: await add('Done') }
    const complaints = [
      ['👍'.repeat(40), 'must be one emoji'],
      ['👍'.repeat(41), 'must have at most 40 characters'],
    ] as const
    for (const [reaction, message] of complaints) {
      const refusal = { ...invalid, data: { issues: [{ path: ['reaction'], message }] } }
      await expect(ada.reactToComment({ ...of, reaction })).rejects.toMatchObject(refusal)
      await expect(ada.takeReactionBack({ ...of, reaction })).rejects.toMatchObject(refusal)
    }
    expect(await ada.getComment(of)).not.toHaveProperty('reaction')
  })

  test('[COMMENT-9] are counted, for one record and for those of a list', async () => {
    await add('One')
    await add('Two')
    const { tableId } = place
    const [first = '', second = ''] = table.recordIds
    expect(await ada.countComments(place)).toEqual({ count: 2 })
    expect(await ada.countComments({ tableId, recordId: second })).toEqual({ count: 0 })
    const count = (asked: object) => ada.countCommentsOfList({ tableId, ...asked })
    expect(await count({})).toEqual([{ recordId: first, count: 2 }])
    expect(await count({ skip: 1 })).toEqual([])
    await ada.createComment({ tableId, recordId: second, content: say('Other') })
    expect(await count({ take: 1 })).toEqual([{ recordId: first, count: 2 }])
    const filterSet = [{ fieldId: 'Name', operator: 'is', value: 'b' }]
    const filter = { conjunction: 'and', filterSet }
    expect(await count({ filter })).toEqual([{ recordId: second, count: 1 }])
  })

  test('[COMMENT-10] are bounded', async () => {
    await withLimits({ commentsPerRecord: 1, reactionsPerComment: 1 }, async () => {
      const commentId = await add('One')
      await expect(add('Two')).rejects.toMatchObject(refused)
      await ada.reactToComment({ ...place, commentId, reaction: '👍' })
      const second = ada.reactToComment({ ...place, commentId, reaction: '🎉' })
      await expect(second).rejects.toMatchObject(refused)
      await ada.reactToComment({ ...place, commentId, reaction: '👍' })
    })
    const send = (content: unknown) => ada.createComment({ ...place, content: content as never })
    const long = 'x'.repeat(6_000)
    for (const content of [
      say('x'.repeat(10_001)),
      say(long, long),
      say(...Array(401).fill('x')),
      Array(3).fill({ type: 'p', children: Array(200).fill({ type: 'span', value: 'x' }) }),
      Array(201).fill({ type: 'p', children: [{ type: 'span', value: 'x' }] }),
      say({ type: 'a', url: `https://a.example/${'x'.repeat(2_048)}` }),
    ]) {
      await expect(send(content)).rejects.toMatchObject(invalid)
    }
    await send(say(long))
    await send(say('short'))
    await withLimits({ commentPageLength: 5_000, commentsReadAtOnce: 2 }, async () => {
      const first = await ada.listComments({ ...place })
      expect(first.comments.map(textOf)).toEqual(['One', long])
      const next = await ada.listComments({ ...place, cursor: first.nextCursor ?? '' })
      expect([next.comments.map(textOf), next.nextCursor]).toEqual([['short'], undefined])
    })
  })

  test('[COMMENT-11] are there again with their record, and gone for good with it', async () => {
    const { tableId, recordId } = place
    const commentId = await add('Kept')
    const stored = () => world.engine.store.read((tx) => tx.comments.find(commentId))
    const [view] = await world.api.views.listViews({ tableId })
    const anchor = { viewId: view?.id ?? '', anchorId: recordId, position: 'after' as const }
    const copied = await world.api.records.duplicateRecord({ ...place, ...anchor })
    const copy = copied.records[0]?.id ?? ''
    expect(await ada.countComments({ tableId, recordId: copy })).toEqual({ count: 0 })
    await world.api.records.deleteRecord(place)
    await expect(ada.getComment({ ...place, commentId })).rejects.toMatchObject(absent)
    await expect(texts()).rejects.toMatchObject(absent)
    const trashed = { resourceId: tableId, resourceType: 'table' } as const
    const entry = async () =>
      (await world.api.trash.listTrashItems(trashed)).trashItems[0]?.id ?? ''
    await world.api.trash.restoreTrash({ trashId: await entry() })
    expect(await texts()).toEqual(['Kept'])
    await world.api.records.deleteRecord(place)
    await withLimits({ commentsPurgedAtOnce: 1 }, async () => {
      await world.api.trash.resetTrash(trashed)
      await world.finishJobs()
    })
    expect(await stored()).toBeUndefined()
    expect(await world.api.trash.listTrashItems(trashed)).toMatchObject({ trashItems: [] })
  })

  test('[COMMENT-11] go with their table', async () => {
    const commentId = await add('Gone')
    const { tableId } = place
    const { baseId } = world
    await world.api.tables.deleteTable({ baseId, tableId })
    await world.api.trash.resetTrash({ resourceId: baseId, resourceType: 'base' })
    await world.finishJobs()
    expect(await world.engine.store.read((tx) => tx.comments.find(commentId))).toBeUndefined()
  })

  test('[COMMENT-12] [COMMENT-13] are told of by the hash of their base, and by events', async () => {
    const { baseId } = world
    const events: DomainEvent[] = []
    const unsubscribe = world.engine.subscribe((event) => events.push(event))
    const hashes = new Set<string>()
    const look = async () => hashes.add((await world.api.bases.verifyBase({ baseId })).hash)
    await look()
    const commentId = await add('One')
    await look()
    const of = { ...place, commentId }
    await ada.updateComment({ ...of, content: say('Two') })
    await look()
    await ada.reactToComment({ ...of, reaction: '👍' })
    await look()
    expect(hashes.size).toBe(4)
    await ada.deleteComment(of)
    await look()
    expect(hashes.size).toBe(4)
    unsubscribe()
    const names = ['created', 'updated', 'updated', 'deleted'].map((what) => `comment.${what}`)
    expect(events.map(({ name }) => name)).toEqual(names)
    expect(events[0]?.payload).toEqual(of)
  })
})
