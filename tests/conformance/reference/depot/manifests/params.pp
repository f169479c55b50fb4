# @api private
class depot::params {
}
