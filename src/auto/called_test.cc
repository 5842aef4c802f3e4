// Names of C++, for auto_test.py.
#include <vector>

namespace shop
{

class Basket
{
  public:
    void add(int price)
    {
        prices.push_back(price);
    }
    template <typename Number> Number total(Number start) const
    {
        for (int price : prices)
            start += static_cast<Number>(price);
        return start;
    }

  private:
    std::vector<int> prices;
};

static int thrower(int depth)
{
    if (depth == 0)
        throw 1;
    return thrower(depth - 1);
}

} // namespace shop

int main()
{
    shop::Basket basket;
    basket.add(3);
    try {
        shop::thrower(2);
    } catch (int) {
        basket.add(4);
    }
    return basket.total<long>(0) == 7 ? 0 : 1;
}
