import type { BlockList } from 'node:net'

// What Node has for addresses is loaded with the first one that is looked at: a program that opens an engine need not look at any.
const net = () => process.getBuiltinModule('node:net')

/** 4 or 6 for an address of that version of the protocol, 0 for what is none. */
export function versionOf(address: string): number {
  return net().isIP(address)
}

/** A list of no networks yet. */
export function emptyBlockList(): BlockList {
  return new (net().BlockList)()
}
