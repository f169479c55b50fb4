type Depot::Any = Variant[Array[Struct[{
  'a' => Integer,
}]], Undef]
