import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Action } from '../../access/roles.ts'

const title = { type: 'singleLineText', name: 'Title' }

describeOnEveryStorage('the diagram of a base', (storage) => {
  let world: TableWorld
  let baseId: string

  beforeAll(async () => {
    world = await openTableWorld(storage)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    baseId = (await world.api.bases.createBase({ spaceId: world.ada.spaceId, name: 'Own' })).id
  })

  const diagramOf = (api = world.api) => api.bases.getBaseDiagram({ baseId })
  const named = async (api = world.api) => {
    const { nodes, edges } = await diagramOf(api)
    return {
      nodes: nodes.map(({ name, fields }) => [name, ...fields.map((field) => field.name)]),
      edges: edges
        .map(({ source, type, target, relationship, isOneWay }) => [
          `${source.tableName}.${source.fieldName}`,
          ...[type, ...(relationship ? [relationship, isOneWay] : [])],
          `${target.tableName}.${target.fieldName}`,
        ])
        .toSorted(),
    }
  }
  const linkTo = (table: { readonly id: string }, options: object, name = 'Link') => ({
    ...{ type: 'link', name },
    options: { relationship: 'manyOne', foreignTableId: table.id, ...options },
  })
  const optionsOf = ([foreignTableId, linkFieldId, lookupFieldId]: readonly [
    string,
    string,
    string,
  ]) => ({ foreignTableId, linkFieldId, lookupFieldId })

  test('[BASE-29] has tables, their fields and each relation between them once', async () => {
    const authors = await world.makeTable('Authors', [title], [], baseId)
    const books = await world.makeTable(
      'Books',
      [title, { type: 'number', name: 'Pages' }],
      [],
      baseId,
    )
    const link = await world.addField(books, linkTo(authors, {}, 'Author'))
    await world.addField(books, linkTo(books, { isOneWay: true }, 'Sequel'))
    await world.addField(books, {
      ...{ type: 'singleLineText', isLookup: true, name: 'Names' },
      lookupOptions: optionsOf([authors.id, link.id, authors.primaryId]),
    })
    const pages = await world.fieldOf(books, 'Pages')
    const back = (await world.api.fields.listFields({ tableId: authors.id })).at(-1)
    await world.addField(authors, {
      ...{ type: 'rollup', name: 'Sum', options: { expression: 'sum({values})' } },
      lookupOptions: optionsOf([books.id, back?.id ?? '', pages.id]),
    })
    await world.addField(authors, {
      ...{ type: 'formula', name: 'Twice', options: { expression: '1 + 1' } },
    })
    expect(await named()).toEqual({
      nodes: [
        ['Authors', 'Title', 'Books', 'Sum', 'Twice'],
        ['Books', 'Title', 'Pages', 'Author', 'Sequel', 'Names'],
      ],
      edges: [
        ['Authors.Sum', 'rollup', 'Books.Pages'],
        ['Books.Author', 'link', 'manyOne', false, 'Authors.Books'],
        ['Books.Names', 'lookup', 'Authors.Title'],
        ['Books.Sequel', 'link', 'manyOne', true, 'Books.Title'],
      ],
    })
    await world.api.tables.setTableIcon({ baseId, tableId: books.id, icon: '📚' })
    const { nodes, ...rest } = await diagramOf()
    expect(rest.baseId).toBe(baseId)
    expect(nodes[1]).toMatchObject({ id: books.id, icon: '📚' })
    expect(nodes[1]?.fields.filter(({ isPrimary, isLookup }) => isPrimary || isLookup)).toEqual([
      { id: books.primaryId, name: 'Title', type: 'singleLineText', isPrimary: true },
      { id: expect.any(String), name: 'Names', type: 'singleLineText', isLookup: true },
    ])
  })

  test('[BASE-29] leaves out what lies in the trash, and what fields with an error read', async () => {
    const authors = await world.makeTable(
      'Authors',
      [title, { type: 'number', name: 'Age' }],
      [],
      baseId,
    )
    const books = await world.makeTable('Books', [title], [], baseId)
    const others = await world.makeTable('Others', [title], [], baseId)
    const link = await world.addField(books, linkTo(authors, { isOneWay: true }, 'Author'))
    const age = await world.fieldOf(authors, 'Age')
    await world.addField(books, {
      ...{ type: 'number', isLookup: true, name: 'Ages' },
      lookupOptions: optionsOf([authors.id, link.id, age.id]),
    })
    await world.addField(books, linkTo(others, { isOneWay: true }, 'Other'))
    await world.api.fields.deleteField({ tableId: authors.id, fieldId: age.id })
    await world.api.tables.deleteTable({ baseId, tableId: others.id })
    expect(await named()).toEqual({
      nodes: [
        ['Authors', 'Title'],
        ['Books', 'Title', 'Author', 'Ages', 'Other'],
      ],
      edges: [['Books.Author', 'link', 'manyOne', true, 'Authors.Title']],
    })
  })

  test('[BASE-29] takes the rights to read both tables and fields', async () => {
    const stranger = await world.newPerson('Eve')
    await expect(diagramOf(stranger.api)).rejects.toMatchObject({ code: 'not_found' })
    const asToken = async (...scopes: Action[]) => {
      const { token } = await world.api.accessTokens.createToken({
        ...{ name: 'Draw', scopes, baseIds: [baseId], expiredTime: '2999-12-31' },
      })
      return world.engine.as((await world.engine.authenticate(token)) as never)
    }
    for (const scope of ['table|read', 'field|read'] as const) {
      await expect(diagramOf(await asToken(scope))).rejects.toMatchObject({
        code: 'restricted_resource',
      })
    }
    await expect(diagramOf(await asToken('table|read', 'field|read'))).resolves.toEqual({
      ...{ baseId, nodes: [], edges: [] },
    })
  })

  test('[BASE-29] is refused where there are too many fields', async () => {
    await world.makeTable('Books', [title, { type: 'number', name: 'Pages' }], [], baseId)
    await withLimits({ fieldsPerDiagram: 1 }, () =>
      expect(diagramOf()).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: [expect.objectContaining({ path: ['baseId'] })] },
      }),
    )
    await withLimits({ fieldsPerDiagram: 2 }, () => expect(diagramOf()).resolves.toBeDefined())
  })

  test('[BASE-30] shows of other bases what the caller may read', async () => {
    const { spaceId } = world.ada
    const { id: otherId } = await world.api.bases.createBase({ spaceId, name: 'Other' })
    const people = await world.makeTable(
      'People',
      [title, { type: 'number', name: 'Age' }, { type: 'number', name: 'Unread' }],
      [],
      otherId,
    )
    const books = await world.makeTable('Books', [title], [], baseId)
    const link = await world.addField(books, linkTo(people, { isOneWay: true }, 'Author'))
    const age = await world.fieldOf(people, 'Age')
    await world.addField(books, {
      ...{ type: 'number', isLookup: true, name: 'Ages' },
      lookupOptions: optionsOf([people.id, link.id, age.id]),
    })
    const own = ['Books', 'Title', 'Author', 'Ages']
    expect(await named()).toEqual({
      nodes: [own, ['People', 'Title', 'Age']],
      edges: [
        ['Books.Ages', 'lookup', 'People.Age'],
        ['Books.Author', 'link', 'manyOne', true, 'People.Title'],
      ],
    })
    const { nodes } = await diagramOf()
    expect(nodes[1]).toMatchObject({ id: people.id, crossBaseId: otherId, crossBaseName: 'Other' })
    expect(nodes[0]).not.toHaveProperty('crossBaseId')
    // Of the base alone: its fields are shown as they are, and nothing of the other one.
    const guest = await world.newPerson('Guest')
    await world.api.collaborators.addBaseCollaborators({
      ...{ baseId, role: 'viewer' },
      collaborators: [{ principalId: guest.userId, principalType: 'user' }],
    })
    expect(await named(guest.api)).toEqual({ nodes: [own], edges: [] })
    expect(JSON.stringify(await diagramOf(guest.api))).not.toContain(people.id)
    const { token } = await world.api.accessTokens.createToken({
      ...{ name: 'Draw', scopes: ['table|read', 'field|read'], baseIds: [baseId] },
      expiredTime: '2999-12-31',
    })
    const program = world.engine.as((await world.engine.authenticate(token)) as never)
    expect(await named(program)).toEqual({ nodes: [own], edges: [] })
    await world.api.bases.deleteBase({ baseId: otherId })
    expect(await named()).toEqual({ nodes: [own], edges: [] })
  })
})
