import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('formula fields', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable

  beforeEach(async () => {
    table = await world.makeNames('People', 'ann', 'bob')
  })
  afterEach(() => world.clear())

  const formula = (expression: string, options: object = {}) => ({
    type: 'formula',
    options: { expression, ...options },
  })
  const refuses = (expression: string, refusal: object) =>
    world.expectNoTrace(() => world.addField(table, formula(expression)), {
      code: 'validation_error',
      ...refusal,
    })
  const expectTableRefused = (fields: readonly object[], refusal: object) =>
    world.expectNoTrace(
      () => world.api.tables.createTable({ baseId: world.baseId, fields: fields as never }),
      refusal,
    )

  test.each([
    ['', 0],
    ['1 +', 3],
    ['1 + + * 2', 4],
    ['"x', 0],
    ['{Name', 0],
    ['FOO(1)', 0],
    ['1 2', 2],
    ['{Nothing} + 1', 0],
    ['{fld0}', 0],
    ['{__proto__}', 0],
    ['1 + LEN()', 4],
    ['IF(1, 2)', 0],
    ['ROUND(1, LEFT())', 9],
    ['1 + + * 2', 4],
    ['ROUND({Name}, LEFT())', 14],
    ['{Name} & ROUND({Name}, LEFT())', 23],
  ])('[CALC-6] refuse %j because of what is at %d', async (expression, position) => {
    const issues = [{ path: ['options', 'expression'], message: expect.any(String) }]
    await refuses(expression, { data: { issues, position, reason: expect.any(String) } })
  })

  test('[CALC-6] tell the place in a request for several fields', async () => {
    const fields = [{ type: 'number' }, formula('1 +')]
    await expectTableRefused(fields, {
      code: 'validation_error',
      data: {
        issues: [{ path: ['fields', 1, 'options', 'expression'], message: expect.any(String) }],
        position: 3,
      },
    })
  })

  test('[CALC-6] refuse what is too long, or nested too deeply', async () => {
    const issues = [{ path: ['options', 'expression'] }]
    const tooLong = `"${'x'.repeat(8_191)}"`
    expect(tooLong).toHaveLength(8_193)
    for (const expression of [
      tooLong,
      `${'('.repeat(10_000)}1${')'.repeat(10_000)}`,
      `${'('.repeat(4_000)}1${')'.repeat(4_000)}`,
      '('.repeat(8_000),
      `${'-'.repeat(8_000)}1`,
      'ABS('.repeat(2_000),
      'x'.repeat(81_921),
    ]) {
      await refuses(expression, { data: { issues } })
    }
    const longest = await world.addField(table, formula(`"${'x'.repeat(8_190)}"`))
    expect(longest).toMatchObject({ cellValueType: 'string' })
    expect(await world.cellsOf(table, 'Calculation')).toEqual(new Array(2).fill('x'.repeat(8_190)))
    const sum = await world.addField(table, formula(new Array(2_000).fill('1').join('+')))
    expect((await world.cellsOf(table, sum.name))[0]).toBe(2_000)
  })

  test('[CALC-6] refuse options that do not fit the result', async () => {
    const decimal = { formatting: { type: 'decimal', precision: 1 } }
    const bar = { type: 'bar', color: 'red', showValue: true, maxValue: 1 }
    const shown = { type: 'url' }
    const date = { formatting: { date: 'YYYY', time: 'None', timeZone: 'UTC' } }
    for (const [expression, options, path, message] of [
      ['"x"', decimal, ['options', 'formatting'], 'must be left out: the result is neither'],
      ['1', date, ['options', 'formatting'], 'must be the formatting of a number, with a type'],
      ['TODAY()', decimal, ['options', 'formatting'], 'must be the formatting of a date'],
      ['"x"', { showAs: bar }, ['options', 'showAs'], 'must be of the type "url", "email"'],
      ['1', { showAs: shown }, ['options', 'showAs'], 'must be of the type "bar" or "ring"'],
      ['TRUE', { showAs: shown }, ['options', 'showAs'], 'must be left out: the result is neither'],
      ['1', { timeZone: 'Nowhere' }, ['options', 'timeZone'], 'must be'],
      ['1', { color: 'red' }, ['options'], 'must not have the member "color"'],
    ] as const) {
      await world.expectNoTrace(() => world.addField(table, formula(expression, options)), {
        ...invalidAt(...path),
        message: expect.stringContaining(`${path.join('.')}: ${message}`),
      })
    }
    await world.expectNoTrace(
      () => world.addField(table, { type: 'formula' }),
      invalidAt('options', 'expression'),
    )
  })

  test('[CALC-8] refuse to follow from themselves', async () => {
    const id = 'fldFollowsItself000'
    const itself = { ...formula(`{${id}} + 1`), id, name: 'Self' }
    const circle = (path: readonly (string | number)[], ...names: readonly string[]) => ({
      code: 'validation_error',
      data: {
        issues: [
          {
            path,
            message: `the field would depend on itself: ${names.map((n) => `"${n}"`).join(' → ')}`,
          },
        ],
      },
    })
    await world.expectNoTrace(
      () => world.addField(table, itself),
      circle(['options'], 'Self', 'Self'),
    )
    const byName = { ...formula('{Self} & "x"'), name: 'Self' }
    await world.expectNoTrace(
      () => world.addField(table, byName),
      circle(['options'], 'Self', 'Self'),
    )
    const number = { type: 'number', name: 'N' }
    const named = (name: string, expression: string) => ({ ...formula(expression), name })
    await expectTableRefused(
      [number, named('A', '{B} + {N}'), named('B', '{C}'), named('C', '{N} + {A}')],
      circle(['fields', 1, 'options'], 'A', 'B', 'C', 'A'),
    )
    await expectTableRefused(
      [named('Lead', '{A}'), number, named('A', '{B}'), named('B', '{A}'), named('D', '{N}')],
      circle(['fields', 0, 'options'], 'A', 'B', 'A'),
    )
  })

  test('[CALC-9] refuse to be unique or required', async () => {
    for (const mark of ['unique', 'notNull']) {
      await world.expectNoTrace(
        () => world.addField(table, { ...formula('1'), [mark]: true }),
        invalidAt(mark),
      )
    }
  })

  test('[CALC-7] [CALC-9] name fields by id or name, and keep ids', async () => {
    const { id } = await world.fieldOf(table, 'Count')
    const field = await world.addField(table, formula(`{Count} + {${id}} // {Count}`))
    expect(field).toEqual({
      id: field.id,
      name: 'Calculation',
      type: 'formula',
      options: {
        expression: `{${id}} + {${id}} // {Count}`,
        formatting: { type: 'decimal', precision: 2 },
      },
      cellValueType: 'number',
      dbFieldType: 'REAL',
      dbFieldName: 'Calculation',
      isComputed: true,
      version: 1,
    })
    expect(await world.cellsOf(table, 'Calculation')).toEqual([2, 4])
    await world.api.fields.updateField({ tableId: table.id, fieldId: id, name: 'Number' })
    expect((await world.fieldOf(table, 'Calculation')).options).toEqual(field.options)
    await world.change(table, table.recordIds[0], { Number: 5 })
    expect(await world.cellsOf(table, 'Calculation')).toEqual([10, 4])
  })

  test('[CALC-7] name siblings of one request, in any order', async () => {
    const made = await world.makeTable(
      'Siblings',
      [
        { ...formula('{Sum} & "!"'), name: 'Label' },
        { ...formula('{Twice} + {Size}'), name: 'Sum' },
        { ...formula('{Size} * 2'), name: 'Twice' },
        { type: 'number', name: 'Size' },
      ],
      [{ Size: 1 }, { Size: 4 }, {}],
    )
    expect(await world.cellsOf(made, 'Label')).toEqual(['3!', '12!', '0!'])
    expect(await world.cellsOf(made, 'Sum')).toEqual([3, 12, 0])
    const { id } = await world.fieldOf(made, 'Size')
    const { options } = await world.fieldOf(made, 'Twice')
    expect(options).toMatchObject({ expression: `{${id}} * 2` })
    expect((await world.fieldOf(made, 'Label')).isPrimary).toBe(true)
  })

  test('[CALC-7] prefer an id to a name that reads like it', async () => {
    const { id } = await world.fieldOf(table, 'Count')
    await world.addField(table, { type: 'singleLineText', name: id })
    const field = await world.addField(table, formula(`{${id}}`))
    expect(field.cellValueType).toBe('number')
  })

  test.each([
    ['{Count} * 2', 'number', false, 'REAL', { type: 'decimal', precision: 2 }],
    ['{Name} & 1', 'string', false, 'TEXT', undefined],
    ['{Count} > 1', 'boolean', false, 'BOOLEAN', undefined],
    [
      'CREATED_TIME()',
      'dateTime',
      false,
      'DATETIME',
      { date: 'YYYY-MM-DD', time: 'None', timeZone: 'Asia/Tokyo' },
    ],
    ['ARRAY_COMPACT({Count})', 'number', true, 'JSON', { type: 'decimal', precision: 2 }],
  ])('[CALC-6] %s holds a %s', async (expression, kind, isMultiple, column, formatting) => {
    const field = await world.addField(table, formula(expression, { timeZone: 'Asia/Tokyo' }))
    expect(field).toMatchObject({ cellValueType: kind, dbFieldType: column })
    expect(field.isMultipleCellValue ?? false).toBe(isMultiple)
    expect(field.options.formatting).toEqual(formatting)
    expect(await world.fieldOf(table, field.name)).toMatchObject({ options: field.options })
  })

  test('[CALC-21] leave a cell empty that takes too many steps', async () => {
    await world.addField(table, { type: 'longText', name: 'Text' })
    const pattern = 'REGEXP_REPLACE({Text}, "^(a+)+$", "x")'
    const repeat = 'LEN(REPT(REPT({Text}, 10000), 10000))'
    const nested = 'REGEXP_REPLACE({Text}, "(((((a*)*)*)*)*)b", "x")'
    await world.addField(table, { ...formula(pattern), name: 'Pattern' })
    await world.addField(table, { ...formula(repeat), name: 'Repeat' })
    await world.addField(table, { ...formula(nested), name: 'Nested' })
    const [ann] = table.recordIds
    const cells = await world.change(table, ann, { Text: `${'a'.repeat(50_000)}!` })
    expect(cells).toMatchObject({ Name: 'ann' })
    expect(cells).not.toHaveProperty('Repeat')
    expect(await world.change(table, ann, { Text: 'aaa' })).toMatchObject({ Pattern: 'x' })
  })
})
