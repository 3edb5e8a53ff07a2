import type { CharacterSet } from './character-set.ts'
import type { Instruction, Program } from './program.ts'
import { type Captures, ThreadList } from './thread-list.ts'

/** Counts steps of work, and stops the search by throwing when there are too many. */
export type Spend = (steps: number) => void

/** Looks whether a set has a character that take as long as a step: they make nothing. */
const looksPerStep = 3

/** Looks after which their steps are counted. */
const looksAtOnce = 3_000

/**
 * Searches one text for a program. All ways through the program are followed at once, one character at
 * a time, so that a search takes at most (instructions x characters) steps, whatever the pattern.
 *
 * Not `re2js`, which does the same: it counts no steps, so nothing could end it. docs/ARCHITECTURE.md has the figures.
 */
export class Searcher {
  readonly #instructions: readonly Instruction[]
  readonly #text: string
  readonly #spend: Spend
  readonly #firstCaptures: Captures
  /** What a match can begin with, undefined when a match may be empty or depends on its place. */
  readonly #beginnings: readonly CharacterSet[] | undefined
  #threads: ThreadList
  #nextThreads: ThreadList

  constructor({ instructions, groupCount }: Program, text: string, spend: Spend) {
    this.#instructions = instructions
    this.#text = text
    this.#spend = spend
    this.#firstCaptures = new Array((groupCount + 1) * 2).fill(-1)
    this.#beginnings = findBeginnings(instructions)
    this.#threads = new ThreadList(instructions)
    this.#nextThreads = new ThreadList(instructions)
  }

  /** The first match at or after a place, the preferred one there; null when there is none. */
  find(from: number): Captures | null {
    const text = this.#text
    let match: Captures | null = null
    this.#threads.clear()
    for (let place = from; ; ) {
      if (match === null) {
        if (this.#threads.isEmpty) place = this.#skip(place)
        this.#threads.add({ instruction: 0, captures: this.#firstCaptures }, text, place)
      }
      this.#spend(this.#threads.stepCount + 1)
      if (this.#threads.isEmpty && match !== null) return match
      const character = text.codePointAt(place)
      place += widthOf(character)
      match = this.#advance(character, place) ?? match
      if (character === undefined) return match
    }
  }

  /** Passes over characters that no match begins with. */
  #skip(from: number): number {
    const sets = this.#beginnings
    if (!sets) return from
    let place = from
    for (let looks = 0; ; ) {
      const character = this.#text.codePointAt(place)
      if (character === undefined || sets.some((set) => set.has(character))) {
        this.#spend(Math.ceil(looks / looksPerStep))
        return place
      }
      place += widthOf(character)
      looks += sets.length
      if (looks >= looksAtOnce) {
        this.#spend(Math.ceil(looks / looksPerStep))
        looks = 0
      }
    }
  }

  /** Moves all ways past a character, up to the first that has come to the end of the program. */
  #advance(character: number | undefined, next: number): Captures | null {
    this.#nextThreads.clear()
    let match: Captures | null = null
    for (const { instruction: index, captures } of this.#threads.waiting) {
      const instruction = this.#instructions[index]
      if (instruction?.kind === 'match') {
        match = captures
        break
      }
      if (
        character !== undefined &&
        instruction?.kind === 'characters' &&
        instruction.set.has(character)
      ) {
        this.#nextThreads.add({ instruction: index + 1, captures }, this.#text, next)
      }
    }
    const passed = this.#threads
    this.#threads = this.#nextThreads
    this.#nextThreads = passed
    return match
  }
}

/** How many UTF-16 units a character takes. */
export function widthOf(character: number | undefined): number {
  return (character ?? 0) > 0xffff ? 2 : 1
}

function findBeginnings(instructions: readonly Instruction[]): readonly CharacterSet[] | undefined {
  const sets: CharacterSet[] = []
  const seen = new Set<number>()
  const stack = [0]
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    if (seen.has(index)) continue
    seen.add(index)
    const instruction = instructions[index]
    switch (instruction?.kind) {
      case 'characters':
        sets.push(instruction.set)
        break
      case 'jump':
        stack.push(instruction.target)
        break
      case 'fork':
        stack.push(instruction.first, instruction.second)
        break
      case 'save':
      case 'forget':
        stack.push(index + 1)
        break
      default:
        return undefined
    }
  }
  return sets
}
