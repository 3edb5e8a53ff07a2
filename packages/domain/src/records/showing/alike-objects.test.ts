import { expect, test } from 'vitest'
import { AlikeObjects } from './alike-objects.ts'

test('objects have the members that have values, in the order of their names', () => {
  const objects = new AlikeObjects(['b', 'a', 'c'])
  const made = [
    [1, 2, 3],
    [4, undefined, null],
    [undefined, undefined, undefined],
    [false, 0, ''],
    [7, undefined, 8],
    [9, 10, 11],
  ].map((values) => objects.make(values))
  expect(made.map((object) => JSON.stringify(object))).toEqual([
    '{"b":1,"a":2,"c":3}',
    '{"b":4,"c":null}',
    '{}',
    '{"b":false,"a":0,"c":""}',
    '{"b":7,"c":8}',
    '{"b":9,"a":10,"c":11}',
  ])
})

test('objects are right however many ways there are to leave members out, and none changes another', () => {
  const names = Array.from({ length: 6 }, (_, n) => `n${n}`)
  const objects = new AlikeObjects(names)
  const valuesOf = (bits: number) => names.map((_, n) => (bits & (1 << n) ? bits : undefined))
  const all = [...Array(64).keys(), ...Array(64).keys()]
  const made = all.map((bits) => objects.make(valuesOf(bits)))
  for (const [index, bits] of all.entries()) {
    const members = names.flatMap((name, n) => (bits & (1 << n) ? [[name, bits]] : []))
    expect(made[index]).toStrictEqual(Object.fromEntries(members))
  }
})
