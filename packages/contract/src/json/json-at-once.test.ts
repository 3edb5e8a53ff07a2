import { limits } from '@gateleg/domain/limits'
import { expect, test } from 'vitest'
import { JsonScan } from './json-scan.ts'
import { NameCount } from './name-count.ts'
import { parseJson, parseJsonInTurns } from './parse-json.ts'
import { requireLikeParsed } from './require-like-parsed.ts'

const most = limits.jsonValuesAtOnce

/** A list of so many values, itself among them. */
const ones = (values: number) => `[${'1,'.repeat(values - 2)}1]`

const members = (count: number, value = '1') =>
  `{${Array.from({ length: count }, (_, n) => `"k${n}":${value}`).join()}}`

/** Objects of as many members as one may have, with more values together than are parsed in one go. */
const manyNames = `{"a":[${`${members(limits.jsonMembers)},`.repeat(most / limits.jsonMembers)}1]}`

/** What each way of taking JSON gives of the text; parsed elsewhere, it is the same object. */
const ways = [
  async (text: string) => parseJson(text, []),
  (text: string) => parseJsonInTurns(text, [], {}, async () => {}),
  async (text: string) => {
    const value = JSON.parse(text)
    requireLikeParsed(value, [])
    return value
  },
]

const refusal = expect.objectContaining({ code: 'payload_too_large' })

test('[CONTRACT-13] takes as many values in one go as the limit, and many times as many in a list', async () => {
  for (const item of [ones(most), `{"a":${ones(most - 1)}}`]) {
    const text = `{"x":${ones(most - 10)},"records":[${item},${item},${item}]}`
    for (const take of ways) expect(await take(text)).toEqual(JSON.parse(text))
  }
})

test('[CONTRACT-13] refuses more, wherever they stand', async () => {
  const texts = [
    `{"records":[1,${ones(most + 1)}]}`,
    // With a comma behind it, the list is parsed in pieces.
    `{"records":[1,${ones(most + 1)},1]}`,
    `{"records":[{"a":${ones(most)}},1]}`,
    `{"records":[{"fields":{"a":${ones(most)}}}]}`,
    `{"records":[{"fields":${manyNames}}]}`,
    `{"records":[1],"x":${manyNames}}`,
    `{"x":${manyNames},"records":[${ones(most)},1]}`,
    ones(most + 1),
    `[${manyNames}]`,
  ]
  for (const text of texts) {
    for (const take of ways) await expect(take(text)).rejects.toEqual(refusal)
  }
})

test('[CONTRACT-13] refuses more where a body must be parsed whole', async () => {
  const list = `[${'1,'.repeat(most)}1]`
  const texts = [`{"a":${list},"a":1}`, `{"\\u0061":${list}}`]
  for (const text of texts) {
    expect(() => parseJson(text, [])).toThrow(`${most} values at most`)
    await expect(parseJsonInTurns(text, [], {}, async () => {})).rejects.toEqual(refusal)
  }
})

test('[CONTRACT-13] refuses too many characters in one go, however few values they are', async () => {
  const text = `"${'x'.repeat(limits.jsonTextLength - 10)}"`
  const four = `[${text},${text},${text},${text}]`
  const taken = `{"a":${four},"records":[${four},${four},${ones(20_000)}]}`
  expect(await parseJsonInTurns(taken, [], {}, async () => {})).toEqual(JSON.parse(taken))
  for (const item of [`[${four},${text}]`, `[1${' '.repeat(limits.jsonLengthAtOnce)}]`]) {
    const wholes = [`{"r":[1,${item}]}`, `{"r":[1,${item},1]}`, `{"a":{"b":${item}}}`]
    for (const whole of wholes) {
      await expect(parseJsonInTurns(whole, [], {}, async () => {})).rejects.toEqual(refusal)
    }
  }
})

test('[CONTRACT-14] takes an object of as many members as the limit, and refuses one more', async () => {
  const within = members(limits.jsonMembers, members(2))
  const beyond = members(limits.jsonMembers + 1)
  for (const take of ways) {
    for (const write of [(one: string) => one, (one: string) => `{"records":[1,{"a":[${one}]}]}`]) {
      expect(await take(write(within))).toEqual(JSON.parse(write(within)))
      await expect(take(write(beyond))).rejects.toEqual(refusal)
    }
  }
})

test('[CONTRACT-16] takes as many different names in one body as the limit, and refuses one more', async () => {
  const objects = (names: number) => {
    const each = Array.from({ length: names }, (_, n) => `{"k${n}":{"k${names - 1 - n}":1}}`)
    return `{"records":[${each.join()}]}`
  }
  // The name of the list is one more.
  const within = objects(limits.jsonNames - 1)
  for (const take of ways) {
    expect(await take(within)).toEqual(JSON.parse(within))
    await expect(take(objects(limits.jsonNames))).rejects.toEqual(refusal)
  }
})

test('[CONTRACT-16] tells names apart by all of their characters, however they collide', () => {
  const names = Array.from({ length: 300 }, (_, n) => n.toString(3))
  const text = ` ${names.join(' ')} ${names.join(' ')}`
  for (const most of [1, 300]) {
    const count = new NameCount(text, most)
    for (const { index, 0: name } of text.matchAll(/\S+/g)) count.add(index, index + name.length)
    // With too little room, names are counted again: never fewer than there are.
    if (most === 1) expect(count.count).toBeGreaterThan(300)
    else expect(count.count).toBe(300)
  }
})

test('[CONTRACT-14] takes a text and a name of as many characters as the limit, and refuses one more', async () => {
  const long = 'x'.repeat(limits.jsonTextLength)
  for (const take of ways) {
    for (const write of [(text: string) => `{"a":"${text}"}`, (text: string) => `{"${text}":1}`]) {
      expect(await take(write(long))).toEqual(JSON.parse(write(long)))
      await expect(take(write(`${long}x`))).rejects.toEqual(refusal)
    }
  }
})

test('[CONTRACT-14] counts the characters of a text as it is written, and looks no further than that', () => {
  const quotes = '\\"'.repeat(limits.jsonTextLength / 2)
  expect(parseJson(`["${quotes}"]`, [])).toEqual(['"'.repeat(limits.jsonTextLength / 2)])
  const scan = new JsonScan(`["${quotes}${quotes}${quotes}"]`, {
    depth: 64,
    values: 10,
    members: 10,
    names: 10,
    textLength: limits.jsonTextLength,
    strings: 100,
    cutLength: 100,
    cutValues: 100,
  })
  expect(scan.goOn(2)).toBe(false)
  expect(scan.excess).toBe('text')
  const [[start, end] = [0, 0]] = scan.strings
  expect(end - start).toBeLessThan(limits.jsonTextLength + 4)
})

test('[CONTRACT-12] ends a piece sooner where its values are short', async () => {
  let pauses = 0
  const values = 200_000
  const text = `{"list":[${'1,'.repeat(values)}1]}`
  await parseJsonInTurns(text, [], {}, async () => void pauses++)
  expect(pauses).toBeGreaterThanOrEqual(values / limits.jsonPieceValues)
})

test('[CONTRACT-15] tells what the values take in memory before it makes them, names and containers too', () => {
  const bytesOf = (text: string) => {
    let told = 0
    parseJson(text.padEnd(200), [], {
      onBytes: (bytes) => {
        told = bytes
      },
    })
    return told
  }
  const { jsonValueBytes, jsonContainerBytes } = limits
  expect(bytesOf('1')).toBe(jsonValueBytes)
  expect(bytesOf('[1,"x",3]')).toBe(3 * jsonValueBytes + jsonContainerBytes)
  expect(bytesOf('[{},[],1]')).toBe(3 * jsonValueBytes + 3 * jsonContainerBytes)
  const named = bytesOf(`{"${'n'.repeat(1_000)}":{}}`)
  expect(named - bytesOf('{"n":{}}')).toBe(999)
})

test('[CONTRACT-15] leaves room for ordinary bodies: 20,000 records of 50 cells, and the largest one', () => {
  const room = limits.bodyBytesAtOnce * 0.75
  const bytesOf = (records: number, cells: number, length: number) => {
    const fields = Array.from({ length: cells }, (_, n) => `"fld${n}${'x'.repeat(10)}":"`)
    const record = `{"fields":{${fields.map((start) => `${start.padEnd(length - 2, 'v')}"`).join()}}}`
    const text = `{"records":[${record}${`,${record}`.repeat(99)}]}`
    let told = 0
    parseJson(text, [], {
      onBytes: (bytes) => {
        told = bytes
      },
    })
    return ((told + text.length) / 100) * records
  }
  expect(bytesOf(20_000, 50, 20)).toBeLessThan(room * 0.6)
  expect(bytesOf(limits.recordsPerMutation, 96, 26)).toBeLessThan(room)
})
