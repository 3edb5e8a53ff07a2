import { limits } from '../limits.ts'

/** Characters of the pieces of texts; a text that is shorter can't be looked for by its pieces. */
export const trigramLength = 3

/** Slots of a text that are looked at: more find hardly fewer records. */
const slotsAsked = 8

/** The slot of the piece of the text at the place: pieces that are alike have the same one. A power of two of slots. */
function slotAt(text: string, at: number, slots: number): number {
  let hash = Math.imul(text.charCodeAt(at), 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15) ^ text.charCodeAt(at + 1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13) ^ text.charCodeAt(at + 2), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) & (slots - 1)
}

/** Some slots in which each record has its bit that shows the text, which is folded: those of pieces all over it. */
export function slotsOf(text: string, slots: number): readonly number[] {
  const found = new Set<number>()
  for (let at = 0; at + trigramLength <= text.length; at++) found.add(slotAt(text, at, slots))
  const all = [...found]
  const step = Math.max(1, all.length / slotsAsked)
  return Array.from({ length: Math.min(all.length, slotsAsked) }, (_, n) => {
    return all[Math.floor(n * step)] ?? 0
  })
}

/** How many different pieces the texts have. */
export function countTrigrams(texts: readonly string[]): number {
  const found = new Set<string>()
  for (const text of texts) {
    for (let at = 0; at + trigramLength <= text.length; at++) {
      found.add(text.slice(at, at + trigramLength))
    }
  }
  return found.size
}

/** The bits of the records of a segment: in each slot those that show a piece of text whose slot it is. */
export class Segment {
  readonly slots: number
  /** Of each slot. */
  readonly #bytes = limits.recordsPerSegment / 8
  readonly #bits: Uint8Array

  constructor(slots: number) {
    this.slots = slots
    this.#bits = new Uint8Array(slots * this.#bytes)
  }

  /** Adds a text that the record at the place of the segment shows, folded. */
  add(place: number, text: string): void {
    const byte = place >> 3
    const bit = 1 << (place & 7)
    for (let at = 0; at + trigramLength <= text.length; at++) {
      const start = slotAt(text, at, this.slots) * this.#bytes
      this.#bits[start + byte] = (this.#bits[start + byte] ?? 0) | bit
    }
  }

  /** The bits of a slot; empty where no record has one. */
  bitsOf(slot: number): Uint8Array {
    const bits = this.#bits.subarray(slot * this.#bytes, (slot + 1) * this.#bytes)
    return bits.some((byte) => byte > 0) ? bits : bits.subarray(0, 0)
  }
}

/** The places of a segment whose records have a bit in all slots, of whose bits there are one at least. */
export function placesInAll(slots: readonly Uint8Array[]): readonly number[] {
  const places: number[] = []
  const [first = new Uint8Array(), ...others] = slots
  first.forEach((byte, index) => {
    let left = byte
    for (const other of others) left &= other[index] ?? 0
    for (let bit = 0; left > 0; bit++, left >>= 1) if (left & 1) places.push(index * 8 + bit)
  })
  return places
}
