/**
 * Items that wait in a tree of names, such as those of a key in those of its operator. At each level the
 * names take turns: after one of its items was taken, a name stands behind all others of its level, however
 * many items it has. A name without items is forgotten.
 */
export class Rotation<Item> {
  /** The names with items, in the order of their turns. */
  private readonly members = new Map<string, Rotation<Item>>();
  /** The items without a further name, oldest first. */
  private readonly items: Item[] = [];

  get isEmpty(): boolean {
    return this.members.size === 0 && this.items.length === 0;
  }

  /** The number of outermost names with items. */
  get names(): number {
    return this.members.size;
  }

  /** Returns whether an outermost name has items. */
  has(name: string): boolean {
    return this.members.has(name);
  }

  /** Adds an item behind those with the same names, the outermost name first. */
  add(names: readonly string[], item: Item): void {
    let node: Rotation<Item> = this;
    for (const name of names) node = node.memberOf(name);
    node.items.push(item);
  }

  /**
   * Removes and returns the next item.
   * @param mayBeNext returns whether an item may be taken now. Where it may not, the others of its innermost
   * name wait with it, and the turn goes to the next name
   * @returns null if there is none, or none that may be taken
   */
  take(mayBeNext: (item: Item) => boolean): Item | null {
    const [first] = this.items;
    if (first !== undefined && mayBeNext(first)) {
      this.items.shift();
      return first;
    }
    for (const [name, member] of this.members) {
      const item = member.take(mayBeNext);
      if (item === null) continue;
      this.members.delete(name);
      if (!member.isEmpty) this.members.set(name, member);
      return item;
    }
    return null;
  }

  private memberOf(name: string): Rotation<Item> {
    const known = this.members.get(name);
    if (known !== undefined) return known;
    const fresh = new Rotation<Item>();
    this.members.set(name, fresh);
    return fresh;
  }
}
