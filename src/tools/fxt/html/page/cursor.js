// Numbers from bytes: LEB128, as the converter packs them.

export class Cursor {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  // A number without its `skip` lowest bits. What is left is below 2^53.
  number(skip = 0) {
    let byte = this.bytes[this.at++];
    let value = (byte & 127) >> skip;
    for (let scale = 128 >> skip; byte > 127; scale *= 128) {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
    }
    return value;
  }

  // Any 64-bit number.
  big() {
    let value = 0n;
    let byte = 128;
    for (let shift = 0n; byte > 127 && this.at < this.bytes.length; shift += 7n) {
      byte = this.bytes[this.at++];
      value |= BigInt(byte & 127) << shift;
    }
    return value;
  }

  signed() {
    const value = this.big();
    return value & 1n ? -((value + 1n) >> 1n) : value >> 1n;
  }

  double() {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  take(size) {
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  // Fills an array and returns it.
  numbers(array) {
    for (let i = 0; i < array.length; i++) array[i] = this.number();
    return array;
  }

  // The same for differences to the number before, zigzag: the lowest bit is the sign. With it, a
  // difference may be beyond 2^53.
  steps(array) {
    let value = 0;
    for (let i = 0; i < array.length; i++) {
      const back = this.bytes[this.at] & 1;
      const step = this.number(1);
      value += back ? -step - 1 : step;
      array[i] = value;
    }
    return array;
  }

  doubles(array) {
    for (let i = 0; i < array.length; i++) array[i] = this.double();
    return array;
  }

  // Offsets from sizes: one more number than sizes.
  offsets(count, from) {
    const array = new Uint32Array(count + 1);
    array[0] = from;
    for (let i = 0; i < count; i++) array[i + 1] = array[i] + this.number();
    return array;
  }
}
